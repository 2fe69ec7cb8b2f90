"""Reads plaintexts, one base64 line each, and answers each with one line: a compact JWE to the JWK in the first argument."""
import base64
import json
import sys

from jwcrypto import jwe, jwk

key_set_entry = json.loads(sys.argv[1])
recipient = jwk.JWK(**key_set_entry)
header = json.dumps({"alg": "RSA-OAEP", "enc": "A256GCM", "zip": "DEF", "kid": key_set_entry["kid"]})

print("ready", flush=True)
for line in sys.stdin:
    token = jwe.JWE(base64.b64decode(line), header)
    token.add_recipient(recipient)
    print(token.serialize(compact=True), flush=True)
