# unpack.sh PACKED TARGET: unpacks a root, with the device nodes for its hosts beside it, all or nothing.
set -eu
packed=$1 target=$2 partial=$2.partial
rm -rf "$partial"
mkdir -p "$partial/root" "$partial/devices"
tar -C "$partial/root" --zstd --xattrs --xattrs-include='*' -xpf "$packed"

cd "$partial/devices"
node() { mknod -m "$2" "$1" "$3" "$4" "$5"; }
node null 666 c 1 3
node zero 666 c 1 5
node full 666 c 1 7
node random 666 c 1 8
node urandom 666 c 1 9
node tty 666 c 5 0
mkdir net pts shm
node net/tun 666 c 10 200
node loop-control 600 c 10 237
for number in $(seq 0 31); do node "loop$number" 600 b 7 "$number"; done
ln -s pts/ptmx ptmx
ln -s /proc/self/fd fd
ln -s /proc/self/fd/0 stdin
ln -s /proc/self/fd/1 stdout
ln -s /proc/self/fd/2 stderr

mv "$partial" "$target"
