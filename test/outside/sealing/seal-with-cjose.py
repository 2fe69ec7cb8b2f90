"""As seal-with-jwcrypto.py, by the C library cjose, which knows no compression."""
import base64
import ctypes
import sys

key_set_entry = sys.argv[1].encode()
kid = sys.argv[2].encode()

cjose = ctypes.CDLL("libcjose.so.0")
libc = ctypes.CDLL("libc.so.6")
for function in ("cjose_jwk_import", "cjose_header_new", "cjose_jwe_encrypt", "cjose_jwe_export"):
    getattr(cjose, function).restype = ctypes.c_void_p
cjose.cjose_header_set.restype = ctypes.c_bool

recipient = ctypes.c_void_p(cjose.cjose_jwk_import(key_set_entry, ctypes.c_size_t(len(key_set_entry)), None))
header = ctypes.c_void_p(cjose.cjose_header_new(None))
if not recipient or not header:
    sys.exit("cjose does not take the key")
for name, value in ((b"alg", b"RSA-OAEP"), (b"enc", b"A256GCM"), (b"kid", kid)):
    if not cjose.cjose_header_set(header, name, value, None):
        sys.exit("cjose does not take the header")

print("ready", flush=True)
for line in sys.stdin:
    plaintext = base64.b64decode(line)
    token = ctypes.c_void_p(cjose.cjose_jwe_encrypt(recipient, header, plaintext, ctypes.c_size_t(len(plaintext)), None))
    text = ctypes.c_void_p(cjose.cjose_jwe_export(token, None))
    print(ctypes.string_at(text).decode(), flush=True)
    libc.free(text)
    cjose.cjose_jwe_release(token)
