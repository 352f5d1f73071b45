# supervise.sh SETUP NAME STATE ARGUMENTS...: starts a host, and ends it when standard input ends. What the host wrote
# is removed, unless standard input says "keep".
# The other end of standard input is the test's, so a test that crashes takes its host with it.
# Prints the id of `unshare`; then setup.sh prints "up" when the host stands.
set -eu
setup=$1 name=$2 state=$3
shift 3

groups=/sys/fs/cgroup
[ -e "$groups/cgroup.controllers" ] || groups=$groups/unified
group=$groups/uphold-$name
mkdir -p "$group"

{
    echo "$BASHPID" >"$group/cgroup.procs"
    # This shell has one thread, so its death is seen; a thread of the test may end long before the test.
    exec setpriv --pdeathsig KILL unshare -m -p -f -u -i -n -C --kill-child=SIGKILL --propagation private \
        /bin/bash -c "$setup" setup.sh "$name" "$state" "$@"
} </dev/null 3>&1 >"$state/log" 2>&1 &
unshare=$!
echo "$unshare"
exec >/dev/null 2>&1

read -r word || :
# The host's init, not `unshare`: otherwise a zombie stays.
children=$(cat "/proc/$unshare/task/$unshare/children" || :)
[ -z "$children" ] || kill -9 $children || :
wait "$unshare" || :
find "$group" -depth -type d -exec rmdir {} + || :
[ "$word" != keep ] || exit 0
rm -rf "$state" || { chattr -R -f -i -a "$state" || :; rm -rf "$state"; }
