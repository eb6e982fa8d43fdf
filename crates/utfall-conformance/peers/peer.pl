# Perl's Encode, as a peer of `utfall-conformance`. `src/peer.rs` describes the format of the pipes.
use strict;
use warnings;
no warnings qw(utf8);
use Encode ();

binmode STDIN;
binmode STDOUT;
$| = 1;
printf "%vd, Encode %s\n", $^V, $Encode::VERSION;

use constant NONE => 0xFFFFFFFF;
my $not_asked = pack 'CVVV', 2, NONE, NONE, 0;
my $wrong = pack 'CVVV', 1, NONE, NONE, 0;

# Its own messages would be mistaken for an answer.
$SIG{__WARN__} = sub { };

sub fine { pack('CVVV', 0, NONE, NONE, length $_[0]) . $_[0] }

sub answer {
    my ($mode, $encoding, $octets) = @_;
    my $check = $mode eq 'r' ? Encode::FB_DEFAULT() : Encode::FB_CROAK();
    if ($mode eq 'e') {
        my $text = join '', map { chr } unpack 'V*', $octets;
        my $written = eval { $encoding->encode($text, $check) };
        return defined $written ? fine($written) : $wrong;
    }
    my $text = eval { $encoding->decode($octets, $check) };
    return defined $text ? fine(pack 'V*', map { ord } split //, $text) : $wrong;
}

my %known;
while (1) {
    my $head;
    last if !read(STDIN, $head, 10);
    my ($mode, $name_length, $count, $size) = unpack 'CCVV', $head;
    $mode = chr $mode;
    my $name;
    read(STDIN, $name, $name_length);
    my $octets = '';
    read(STDIN, $octets, $size) if $size;
    $known{$name} = Encode::find_encoding($name) if !exists $known{$name};
    my $encoding = $known{$name};
    my $body = '';
    my $at = 0;
    for (1 .. $count) {
        my $length = unpack 'V', substr $octets, $at, 4;
        my $case = substr $octets, $at + 4, $length;
        $at += 4 + $length;
        $body .= defined $encoding ? answer($mode, $encoding, $case) : $not_asked;
    }
    print $body;
}
