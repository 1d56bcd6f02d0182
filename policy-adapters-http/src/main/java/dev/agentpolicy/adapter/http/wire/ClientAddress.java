package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Finds out where a call came from.
 *
 * @param trustsProxy whether {@code X-Forwarded-For} is used; without a proxy, clients could write anything into it
 */
public record ClientAddress(boolean trustsProxy) {
    private static final int MAX_LENGTH = 64;
    private static final int PREFIX_BYTES = 8;

    /** The network of the address, for the limits of sign-ups and wrong passwords. */
    public String network(Context ctx) {
        return network(of(ctx));
    }

    public String of(Context ctx) {
        String socket = ctx.req().getRemoteAddr();
        if (!trustsProxy) {
            return socket;
        }
        List<String> forwarded = Collections.list(ctx.req().getHeaders("X-Forwarded-For"));
        String last = String.join(",", forwarded);
        last = last.substring(last.lastIndexOf(',') + 1).trim();
        return last.isEmpty() || last.length() > MAX_LENGTH ? socket : last;
    }

    /**
     * The network of an address: an IPv4 address, or the first 64 bits of an IPv6 address, because one customer of a
     * provider usually has a whole /64. The address may be in any form that proxies write, with or without brackets, zone and port. Other text is
     * returned unchanged.
     */
    static String network(String address) {
        String host = withoutPort(address);
        if (!host.contains(":")) {
            return host;
        }
        try {
            // In brackets it is parsed as a literal, without a name lookup.
            InetAddress parsed = InetAddress.getByName("[" + withoutZone(host) + "]");
            return parsed instanceof Inet6Address ? prefix(parsed) : parsed.getHostAddress();
        } catch (UnknownHostException noAddress) {
            return host;
        }
    }

    private static String prefix(InetAddress address) throws UnknownHostException {
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, PREFIX_BYTES, bytes.length, (byte) 0);
        return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
    }

    private static String withoutPort(String address) {
        if (address.startsWith("[")) {
            int end = address.indexOf(']');
            return end < 0 ? address.substring(1) : address.substring(1, end);
        }
        int colon = address.indexOf(':');
        return colon >= 0 && colon == address.lastIndexOf(':') ? address.substring(0, colon) : address;
    }

    private static String withoutZone(String host) {
        int zone = host.indexOf('%');
        return zone < 0 ? host : host.substring(0, zone);
    }
}
