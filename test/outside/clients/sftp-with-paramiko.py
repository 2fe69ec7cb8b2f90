"""One SFTP operation through paramiko: FOLDER PORT USER put|put-folder|resume|rename|list|get ARGUMENT…"""
import os
import sys

import paramiko

folder, port, user, operation, *arguments = sys.argv[1:]
client = paramiko.SSHClient()
client.load_host_keys(os.path.join(folder, "known_hosts"))
client.set_missing_host_key_policy(paramiko.RejectPolicy())
client.connect(
    "127.0.0.1", int(port), user,
    key_filename=os.path.join(folder, "sftp_key"), allow_agent=False, look_for_keys=False,
)
sftp = client.open_sftp()
if operation == "put":
    sftp.put(*arguments)
elif operation == "put-folder":
    local, remote = arguments
    for name in os.listdir(local):
        sftp.put(os.path.join(local, name), f"{remote}/{name}")
elif operation == "resume":
    local, remote = arguments
    with open(local, "rb") as source, sftp.open(remote, "a") as target:
        source.seek(sftp.stat(remote).st_size)
        target.write(source.read())
elif operation == "rename":
    sftp.rename(*arguments)
elif operation == "list":
    print("\n".join(str(entry) for entry in sftp.listdir_attr(*arguments)))
elif operation == "get":
    sftp.get(*arguments)
else:
    sys.exit(f"unknown operation {operation}")
client.close()
