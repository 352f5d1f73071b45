#!/bin/bash
# build.sh TEMPORARY OUTPUT: makes the Debian root that all hosts stand on, as one packed file.
# The mirror is the machine's own. Everything that writes by itself later is masked: a digest has to stay equal.
set -euo pipefail
temporary=$1 output=$2 suite=bookworm

packages=systemd,systemd-sysv,dbus,libpam-systemd,cron,sudo,runit
packages+=,openssh-server,iproute2,iputils-ping,nftables,procps,kmod
packages+=,acl,attr,e2fsprogs,xfsprogs,fdisk,locales,tzdata
packages+=,curl,jq,git,gnupg,openssl,ca-certificates,python3
packages+=,zstd,xz-utils,unzip,bzip2
# Another package manager, which works beside apt.
packages+=,dnf,rpm,createrepo-c

# The first address that serves this suite, of whatever form the machine's sources have.
mirror() {
    local one_line=(/etc/apt/sources.list /etc/apt/sources.list.d/*.list)
    local stanzas=(/etc/apt/sources.list.d/*.sources)
    awk -v suite="$suite" '
        /^URIs:/ { uri = $2 }
        /^Suites:/ { for (i = 2; i <= NF; i++) if ($i == suite && uri) { print uri; exit } }
        /^deb / { for (i = 2; i < NF; i++) if ($i ~ /:\//) { if ($(i + 1) == suite) { print $i; exit } break } }
    ' $(ls "${stanzas[@]}" "${one_line[@]}" 2>/dev/null)
}

address=${UPHOLD_BED_MIRROR:-$(mirror)}
if [ -z "$address" ]; then
    echo "no apt source of this machine serves $suite: set UPHOLD_BED_MIRROR to the address of a mirror" >&2
    exit 1
fi

quiet='rm -f "$1"/etc/apt/sources.list "$1"/etc/dpkg/dpkg.cfg.d/99mmdebstrap
    mkdir -p "$1"/etc/systemd/journald.conf.d
    printf "[Journal]\nStorage=volatile\n" >"$1"/etc/systemd/journald.conf.d/testbed.conf
    for timer in apt-daily apt-daily-upgrade dpkg-db-backup e2scrub_all fstrim systemd-tmpfiles-clean; do
        ln -sf /dev/null "$1/etc/systemd/system/$timer.timer"
    done'

TMPDIR=$temporary mmdebstrap --quiet --variant=minbase --include="$packages" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --customize-hook="$quiet" \
    "$suite" "$temporary/root.tar" "$address"
zstd -q -T0 -3 -f "$temporary/root.tar" -o "$output.partial"
rm "$temporary/root.tar"
mv "$output.partial" "$output"
