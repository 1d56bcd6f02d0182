package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.agent.NetworkRange;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The network that the limits of sign-ups and wrong passwords apply to: an IPv4 address, or the first 64 bits of an
 * IPv6 address, because one customer of a provider usually has a whole /64.
 */
final class ClientNetwork {
    private static final int PREFIX_BYTES = 8;

    private ClientNetwork() {}

    /**
     * The network of an address in any form that proxies write, with or without brackets, zone and port. Other text is
     * returned unchanged.
     */
    static String of(String address) {
        InetAddress parsed = NetworkRange.address(address);
        if (parsed == null) {
            return address;
        }
        return parsed instanceof Inet6Address ? prefix(parsed) : parsed.getHostAddress();
    }

    private static String prefix(InetAddress address) {
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, PREFIX_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
