#!/bin/sh
# Installs Flagship from the unpacked archive, or upgrades it. Run as root, any number of times:
#
#   install.sh [DOMAIN]
#
# With a domain, the service obtains a certificate for it and needs no proxy.
#
# Programs and units go to /usr/local, and are replaced. Files in /etc and /var/lib are only created
# if they are missing. With DESTDIR, the files are written below that folder, without owners.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${DESTDIR:-}
local=$root/usr/local
domain=${1:-}

case $# in
0 | 1) ;;
*)
    echo "usage: install.sh [DOMAIN]" >&2
    exit 2
    ;;
esac
case $domain in
*[!A-Za-z0-9.-]*)
    echo "install.sh: \"$domain\" is not a domain, such as ctf.example.org" >&2
    exit 2
    ;;
esac

if [ -z "$root" ]; then
    if [ "$(id -u)" != 0 ]; then
        echo "install.sh: run this script as root" >&2
        exit 1
    fi
    if ! getent passwd flagship >/dev/null; then
        useradd --system --user-group --home-dir /var/lib/flagship --no-create-home \
            --shell /usr/sbin/nologin flagship
    fi
fi

# folder MODE PATH: creates a folder of the user flagship, unless it exists.
folder() {
    [ -d "$root$2" ] && return
    if [ -z "$root" ]; then
        install -d -m "$1" -o flagship -g flagship "$2"
    else
        install -d -m "$1" "$root$2"
    fi
}

install -D -m 0755 "$here/bin/flagship" "$local/bin/flagship"
for unit in "$here"/deploy/flagship*.service "$here"/deploy/flagship*.socket \
    "$here"/deploy/flagship*.timer; do
    name=$(basename "$unit")
    install -D -m 0644 "$unit" "$local/lib/systemd/system/$name"
    if [ -e "$root/etc/systemd/system/$name" ]; then
        echo "install.sh: /etc/systemd/system/$name is used instead of the installed unit" >&2
    fi
done
for page in "$here"/share/man/man1/*.1; do
    install -D -m 0644 "$page" "$local/share/man/man1/$(basename "$page")"
done
for page in "$here"/docs/*.md "$here"/LICENSE "$here"/LICENSES-*; do
    install -D -m 0644 "$page" "$local/share/doc/flagship/$(basename "$page")"
done
completions=$here/share/completions
install -D -m 0644 "$completions/bash/flagship" "$local/share/bash-completion/completions/flagship"
install -D -m 0644 "$completions/zsh/_flagship" "$local/share/zsh/site-functions/_flagship"
install -D -m 0644 "$completions/fish/flagship.fish" \
    "$local/share/fish/vendor_completions.d/flagship.fish"

[ -d "$root/etc/flagship" ] || install -d -m 0755 "$root/etc/flagship"
folder 0700 /etc/flagship/event
folder 0700 /var/lib/flagship
environment=$root/etc/flagship/environment
if [ ! -e "$environment" ]; then
    (umask 077 && cat >"$environment") <<'END'
# Options and secrets of the service, as variables. Readable only by root.
# FLAGSHIP_PUBLIC_URL=https://ctf.example.org
# FLAGSHIP_SMTP_PASSWORD=
END
fi
if [ -n "$domain" ]; then
    if ! grep -q '^FLAGSHIP_TLS=' "$environment"; then
        echo "FLAGSHIP_TLS=$domain" >>"$environment"
    elif ! grep -qx "FLAGSHIP_TLS=$domain" "$environment"; then
        echo "install.sh: /etc/flagship/environment has another domain, which was not changed" >&2
    fi
fi
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
fi
echo "Flagship is installed. Next: runuser -u flagship -- flagship init /etc/flagship/event"
