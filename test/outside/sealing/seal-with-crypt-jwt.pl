# As seal-with-jwcrypto.py, by Perl's Crypt::JWT on CryptX, whose cryptography is LibTomCrypt and not OpenSSL.
use strict;
use warnings;
use Crypt::JWT qw(encode_jwt);
use Crypt::PK::RSA;
use MIME::Base64 qw(decode_base64);

my ($key_set_entry, $kid) = @ARGV;
my $recipient = Crypt::PK::RSA->new(\$key_set_entry);
$| = 1;

print "ready\n";
while (my $line = <STDIN>) {
    print encode_jwt(payload => decode_base64($line), key => $recipient, alg => 'RSA-OAEP', enc => 'A256GCM', zip => 'deflate', extra_headers => { kid => $kid }), "\n";
}
