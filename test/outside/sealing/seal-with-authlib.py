"""As seal-with-jwcrypto.py, by Authlib."""
import base64
import json
import sys

from authlib.jose import JsonWebEncryption, JsonWebKey

key_set_entry = json.loads(sys.argv[1])
recipient = JsonWebKey.import_key(key_set_entry)
header = {"alg": "RSA-OAEP", "enc": "A256GCM", "zip": "DEF", "kid": key_set_entry["kid"]}

print("ready", flush=True)
for line in sys.stdin:
    print(JsonWebEncryption().serialize_compact(header, base64.b64decode(line), recipient).decode(), flush=True)
