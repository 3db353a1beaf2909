import { createAddressRule, isPublicAddress } from './is-public-address';

// prettier-ignore
const PUBLIC = ['93.184.216.34', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '192.167.1.1', '11.0.0.1', '126.255.255.255',
  '128.0.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1', '64:ff9b::5db8:d822', '::ffff:93.184.216.34'];

// prettier-ignore
const NOT_PUBLIC = ['127.0.0.1', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.0.1', '192.0.2.1',
  '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', '::ffff:168.63.129.16', '::', '::1', '::7f00:1', '::ffff:7f00:1', '64:ff9b::7f00:1',
  '64:ff9b::a00:1', '64:ff9b:1::5db8:d822', '2002:5db8:d822::1', '2001::1', '2001:db8::1', '2001:2::1', 'fe80::1', 'fe80::1%lo', 'fc00::1', 'fec0::1', 'ff02::1',
  '100::1', '4000::1', '2001:4860::5efe:a00:1', '2001:4860::200:5efe:5db8:d822', '127.1', '0177.0.0.1', '2130706433', 'localhost', '', '93.184.216.34:80', '[::1]'];

describe('isPublicAddress', () => {
  it.each(PUBLIC)('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(NOT_PUBLIC)('refuses "%s"', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('createAddressRule', () => {
  it('adds the networks an operator names, and nothing beside them', () => {
    const isAllowed = createAddressRule(['10.1.0.0/16', 'fd00:1::/64']);

    expect(['10.1.2.3', 'fd00:1::5', '1.1.1.1'].map(isAllowed)).toEqual([true, true, true]);
    expect(['10.2.0.1', 'fd00:2::5', '127.0.0.1', '::ffff:10.1.2.3', 'nonsense'].map(isAllowed)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('stops the start on what is no network', () => {
    expect(() => createAddressRule(['10.1.0.0'])).toThrow('"10.1.0.0" is no network');
  });
});
