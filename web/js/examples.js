// Inputs for a first visit. Each says which tab shows it best.

const utf8 = (text) => new TextEncoder().encode(text);

/** Every layer: encoded words, a parameter, bodies in Base64 and quoted-printable, the last one with errors. */
const MAIL = `From: =?ISO-8859-1?Q?J=F6rg_M=FCller?= <joerg@example.org>
Subject: =?UTF-7?Q?Rechnung_+APw-ber_20_+IKw-?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=next

--next
Content-Type: text/plain; charset=UTF-7

Sch+APY-ne Gr+APwA3w-e aus K+APY-ln +2D3eQg-
--next
Content-Type: text/plain; charset=windows-1252; name*=UTF-8''Gr%C3%BC%C3%9Fe.txt
Content-Transfer-Encoding: base64

MjAggCBiaXMgRnJlaXRhZy4K
--next
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: quoted-printable

Viele Gr=C3=BC=C3=9Fe, J=F6rg =XY
--next--
`;

/** `make` gets the functions of the worker, and returns bytes. */
export const EXAMPLES = [
  {
    name: 'The Analects in UTF-7',
    tab: 'explain',
    make: (call) => call('encode', '子曰：「學而時習之，不亦說乎？」\n', 'UTF-7'),
  },
  {
    name: 'Mojibake, three deep',
    tab: 'repair',
    make: async (call) => {
      let text = 'Les élèves d’été fêtent Noël à l’école.\n';
      for (let times = 0; times < 3; times++) text = await call('misread', text, 'windows-1252');
      return utf8(text);
    },
  },
  {
    name: 'A Trojan Source snippet',
    tab: 'hidden',
    make: () => utf8('if (role !== "user\u202e \u2066// only for administrators\u2069 \u2066") {\n  grant(\u200b);\n}\n'),
  },
  {
    name: 'A mail in UTF-7',
    tab: 'mail',
    make: () => utf8(MAIL),
  },
  {
    name: 'Kuhn’s stress test of UTF-8',
    tab: 'read',
    make: (call, fetchBytes) => fetchBytes('examples/UTF-8-test.txt'),
  },
  {
    name: 'A line of Shift_JIS',
    tab: 'explain',
    make: (call) => call('encode', 'いろはにほへと ちりぬるを\n', 'Shift_JIS'),
  },
];
