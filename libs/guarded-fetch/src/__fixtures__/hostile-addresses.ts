/** Names that a stub resolver leads inside, as public services do for names that spell an address. */
export const HOSTILE_NAMES: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'inside.example': ['10.1.2.3'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'six.example': ['::1'],
  'unique-local.example': ['fd00::1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mixed-six.example': ['2606:2800:220:1:248:1893:25c8:1946', 'fe80::1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'zone.example': ['fe80::1%lo'],
  'nothing.example': [],
  'garbage.example': ['not an address'],
  'any.example': ['0.0.0.0'],
  localhost: ['127.0.0.1'],
  'localhost.localdomain': ['127.0.0.1'],
  'a.localhost': ['127.0.0.1'],
};

/** Spellings of this machine, and of everything else that is not public, as the host of an address. */
// prettier-ignore
const HOSTS = [
  // This machine, in all the ways URLs spell IPv4.
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '2130706433', '017700000001', '0x7f000001', '0x7f.0.0.1', '0x7f.1', '0177.0.0.1', '0177.1',
  '00000177.0.0.1', '0x7F.0x0.0x0.0x1', '127.0.0.2', '127.255.255.254', '１２７.0.0.1', '１２７。０。０。１', '①②⑦.0.0.1', '127%2e0%2e0%2e1', '%31%32%37.0.0.1',
  '0', '0.0.0.0', '0x0', '00', '0.0.0.1', '0.255.255.255',
  // And IPv6.
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0:127.0.0.1]',
  '[0:0:0:0:0:ffff:7f00:0001]', '[::127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]',
  '[2002:7f00:0001::1]', '[2002:a00:1::1]', '[2001:0:7f00:1::]', '[2001::1]', '[fe80::1]', '[febf::1]', '[fc00::1]', '[fd00::1]', '[fec0::1]', '[ff02::1]',
  '[ff0e::1]', '[100::1]', '[2001:db8::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[3fff::1]', '[5f00::1]', '[4000::1]', '[2001:4860::5efe:127.0.0.1]',
  '[2001:4860::200:5efe:7f00:1]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[::ffff:10.0.0.1]', '[::ffff:0.0.0.0]',
  // Networks that are not public.
  '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', '169.254.169.254', '0xa9fea9fe', '2852039166',
  '169.254.0.1', '100.64.0.1', '100.127.255.255', '100.100.100.200', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1',
  '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16', '168.63.129.16.inside', '0xa.0.0.1', '012.0.0.1',
  // Names.
  'localhost', 'LOCALHOST', 'localhost.', 'localhost.localdomain', 'a.localhost', 'redis', 'kubernetes', 'metadata', 'ｌｏｃａｌｈｏｓｔ',
];

/** Addresses that must not be called, on ports that may be called: `port` is one that counts its connections. */
export function listHostileHosts(port: number): string[] {
  const named = Object.keys(HOSTILE_NAMES).filter((name) => name.includes('.example'));
  return [...HOSTS, ...named].map((host) => `http://${host}:${port}/file.png`);
}

/** Addresses that are refused before anything is resolved. */
export function listIllegalAddresses(port: number): string[] {
  return [
    `http://user@127.0.0.1:${port}/`,
    `http://user:password@files.example:${port}/`,
    `http://files.example:80@127.0.0.1:${port}/`,
    'http://files.example:22/',
    'http://files.example:6379/',
    'http://files.example:9092/',
    'http://files.example:0/',
    'http://files.example:65536/',
    'https://files.example:5432/',
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    `gopher://127.0.0.1:${port}/_GET`,
    `ftp://127.0.0.1:${port}/`,
    `ws://127.0.0.1:${port}/`,
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:alert(1)',
    'blob:http://127.0.0.1/1',
    'unix:/var/run/docker.sock',
    'http://',
    'http:///',
    'http://[::1',
    'http://[::1%25lo]/',
    'http://a b/',
    '//127.0.0.1/',
    '/etc/passwd',
    '',
    ' ',
    'http',
    `http://files.example/${'a'.repeat(9000)}`,
  ];
}
