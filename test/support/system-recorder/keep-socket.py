"""What systemd does for a socket unit and its service, without systemd: keep-socket.py SOCKET UID ACCOUNT-UID ACCOUNT-GID COMMAND...

Opens the socket for one user, starts the command when somebody connects, with the socket as descriptor 3 (sd_listen_fds(3)), and again
once it has ended and somebody connects. Prints the process id of each start. Ends with its standard input, and the command with it.
"""

import os
import select
import signal
import socket
import sys

path, owner, uid, gid, *command = sys.argv[1:]
listening = socket.socket(socket.AF_UNIX)
os.umask(0o177)
listening.bind(path)
os.chown(path, int(owner), int(owner))
listening.listen(128)
print("listening", flush=True)
child = 0
while True:
    ready, _, _ = select.select([0] if child else [0, listening], [], [], 0.02)
    if child and os.waitpid(child, os.WNOHANG)[0]:
        child = 0
    if 0 in ready and not os.read(0, 1):
        break
    if not child and listening in ready:
        child = os.fork()
        if child == 0:
            os.dup2(listening.fileno(), 3)
            os.set_inheritable(3, True)
            os.setgroups([])
            os.setgid(int(gid))
            os.setuid(int(uid))
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
            os.execvp(command[0], command)
        print(child, flush=True)
if child:
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
