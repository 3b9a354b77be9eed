//! Which addresses are on the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Who can be behind an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// A host of the internet.
    Public,
    /// This machine, or one of the network that it stands in.
    Private,
    /// Nobody whom a webhook could be meant for: the metadata service of a cloud, a group of hosts,
    /// a tunnel to an IPv4 address, or no host at all.
    Nobody,
}

impl Reach {
    pub(super) fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => Self::of_v6(address),
        }
    }

    fn of_v4(address: Ipv4Addr) -> Self {
        let within = |networks: &[Ipv4Net]| networks.iter().any(|net| net.contains(&address));
        if within(&NOBODY_V4) {
            Self::Nobody
        } else if within(&PRIVATE_V4) {
            Self::Private
        } else {
            Self::Public
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        let within = |networks: &[Ipv6Net]| networks.iter().any(|net| net.contains(&address));
        if within(&NOBODY_V6) {
            Self::Nobody
        } else if within(&PRIVATE_V6) {
            Self::Private
        } else if GLOBAL_V6.contains(&address) && !is_isatap(address) {
            Self::Public
        } else {
            Self::Nobody
        }
    }
}

/// A tunnel end whose last 32 bits are an IPv4 address (RFC 5214), below whatever prefix.
fn is_isatap(address: Ipv6Addr) -> bool {
    matches!(address.segments(), [_, _, _, _, 0 | 0x200, 0x5efe, _, _])
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(head: [u16; 4], tail: [u16; 4], prefix: u8) -> Ipv6Net {
    let ([a, b, c, d], [e, f, g, h]) = (head, tail);
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), prefix)
}

const PRIVATE_V4: [Ipv4Net; 5] = [
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10), // behind a carrier's NAT
    v4(127, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
];

/// The special-purpose registry of IANA (RFC 6890), and the metadata services outside it.
const NOBODY_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 0, 8),
    v4(100, 100, 100, 200, 32), // metadata, Alibaba
    v4(168, 63, 129, 16, 32),   // metadata, Azure
    v4(169, 254, 0, 0, 16),     // link-local; metadata nearly everywhere
    v4(192, 0, 0, 0, 24),       // protocol assignments; metadata, Oracle
    v4(192, 0, 2, 0, 24),       // documentation
    v4(192, 31, 196, 0, 24),    // AS112
    v4(192, 52, 193, 0, 24),    // AMT
    v4(192, 88, 99, 0, 24),     // 6to4 relays
    v4(192, 175, 48, 0, 24),    // AS112
    v4(198, 18, 0, 0, 15),      // benchmarking
    v4(198, 51, 100, 0, 24),    // documentation
    v4(203, 0, 113, 0, 24),     // documentation
    v4(224, 0, 0, 0, 4),        // multicast
    v4(240, 0, 0, 0, 4),        // reserved, broadcast
];

/// What has been given to hosts. Everything else is somebody's special case: IPv4-mapped and
/// IPv4-compatible, NAT64, link-local, site-local, multicast, and what is still free.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0], [0; 4], 3);

const PRIVATE_V6: [Ipv6Net; 2] = [
    v6([0; 4], [0, 0, 0, 1], 128), // loopback
    v6([0xfc00, 0, 0, 0], [0; 4], 7),
];

const NOBODY_V6: [Ipv6Net; 7] = [
    v6([0x2001, 0, 0, 0], [0; 4], 23), // Teredo, benchmarking, ORCHID
    v6([0x2001, 0xdb8, 0, 0], [0; 4], 32), // documentation
    v6([0x2002, 0, 0, 0], [0; 4], 16), // 6to4
    v6([0x2620, 0x4f, 0x8000, 0], [0; 4], 48), // AS112
    v6([0x3fff, 0, 0, 0], [0; 4], 20), // documentation
    v6([0x3ffe, 0, 0, 0], [0; 4], 16), // 6bone, given back
    v6([0xfd00, 0xec2, 0, 0], [0, 0, 0, 0x254], 128), // metadata, Amazon
];

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(text: &str) -> Reach {
        Reach::of(text.parse().unwrap())
    }

    #[test]
    fn the_edges_of_every_private_range_are_private() {
        for address in [
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.168.0.0",
            "192.168.255.255",
            "::1",
            "fc00::",
            "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ] {
            assert_eq!(reach(address), Reach::Private, "{address}");
        }
    }

    #[test]
    fn the_edges_of_every_reserved_range_belong_to_nobody() {
        for address in [
            "0.0.0.0",
            "0.255.255.255",
            "100.100.100.200",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "192.0.0.192",
            "192.0.2.255",
            "192.31.196.1",
            "192.52.193.1",
            "192.88.99.1",
            "192.175.48.1",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::10.0.0.1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:1ff:ffff::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2620:4f:8000::1",
            "2a00:1450::5efe:7f00:1",
            "2a00:1450::200:5efe:7f00:1",
            "3ffe::1",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "feff::1",
            "ff02::1",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ] {
            assert_eq!(reach(address), Reach::Nobody, "{address}");
        }
    }

    #[test]
    fn their_neighbours_are_public() {
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:db7::1",
            "2003::1",
            "2606:4700:4700::1111",
            "3ffd::1",
        ] {
            assert_eq!(reach(address), Reach::Public, "{address}");
        }
    }
}
