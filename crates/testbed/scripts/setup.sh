# setup.sh NAME STATE LOWER DEVICES [OUTSIDE:INSIDE...] -- INIT...: runs as the first process of its own namespaces,
# makes them a host on a layer above LOWER, says "up" to descriptor 3, and becomes INIT.
set -eu
name=$1 state=$2 lower=$3 devices=$4 root=$2/root
shift 4

# Without an index, handles of files (fanotify, name_to_handle_at) fail on an overlay.
mount -t overlay -o "lowerdir=$lower,upperdir=$state/upper,workdir=$state/work,index=on,nfs_export=on" \
    overlay "$root"
mount -t proc proc "$root/proc"
echo "$name" >/proc/sys/kernel/hostname
# All but the network's sysctls belong to the whole machine.
mount --bind "$root/proc/sys/net" "$root/mnt"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount --move "$root/mnt" "$root/proc/sys/net"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
# Nodes of its own: scripts of packages change the modes of those they find.
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
cp -a "$devices/." "$root/dev/"
mount -t devpts -o newinstance,ptmxmode=666,gid=5,mode=620 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"

while [ "$1" != -- ]; do
    outside=${1%%:*} inside=$root${1#*:}
    if [ -d "$outside" ]; then mkdir -p "$inside"; else mkdir -p "${inside%/*}" && : >"$inside"; fi
    mount --bind "$outside" "$inside"
    shift
done
shift

[ -e "$state/upper/etc/hostname" ] || echo "$name" >"$root/etc/hostname"
# With an id of its own it is no first boot, at which systemd would enable and disable units.
[ -e "$state/upper/etc/machine-id" ] ||
    tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"

cd "$root"
pivot_root . mnt
umount -l /mnt
cd /
ip link set lo up
echo up >&3
# The clock, modules and the kernel's log are the whole machine's: nobody in the host may touch them.
exec 3>&- env -i container=lxc HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    setpriv --bounding-set=-sys_time,-sys_module,-sys_rawio,-syslog,-wake_alarm,-sys_boot "$@"
