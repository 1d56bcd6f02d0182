package dev.agentpolicy.domain.agent;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of IP addresses in CIDR notation (docs/reference/keys.md), such as {@code 203.0.113.0/24}.
 *
 * @param network the first address
 * @param prefixLength the number of leading bits that all addresses share
 */
public record NetworkRange(InetAddress network, int prefixLength) {
    /** Maximum number of ranges of a key. */
    public static final int MAX = 20;
    /** What a text must be to be a range. */
    public static final String EXPECTED =
            "must be an IP address or a network such as 203.0.113.0/24, without host bits";

    private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern LENGTH = Pattern.compile("0|[1-9]\\d{0,2}");

    /** Reads a range; a lone address is a range of one. Null when the text is none, or has bits beyond the prefix. */
    public static @Nullable NetworkRange of(String text) {
        int slash = text.indexOf('/');
        InetAddress network = literal(slash < 0 ? text : text.substring(0, slash));
        String length = slash < 0 ? "" : text.substring(slash + 1);
        if (network == null || slash >= 0 && !LENGTH.matcher(length).matches()) {
            return null;
        }
        int bits = network.getAddress().length * Byte.SIZE;
        int prefix = slash < 0 ? bits : Integer.parseInt(length);
        return prefix <= bits && isZeroBeyond(network.getAddress(), prefix) ? new NetworkRange(network, prefix) : null;
    }

    /**
     * The address of a caller in any form that proxies write, with or without brackets, zone and port; null for other
     * text. Never looks up a name.
     */
    public static @Nullable InetAddress address(String text) {
        String host = withoutPort(text);
        int zone = host.indexOf('%');
        return literal(zone < 0 ? host : host.substring(0, zone));
    }

    /** Whether an address lies in the range. */
    public boolean contains(InetAddress address) {
        byte[] own = network.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        byte[] difference = new byte[own.length];
        for (int i = 0; i < own.length; i++) {
            difference[i] = (byte) (own[i] ^ other[i]);
        }
        return isZeroBefore(difference, prefixLength);
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + prefixLength;
    }

    private static @Nullable InetAddress literal(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text.contains(":") ? "[" + text + "]" : text);
        } catch (UnknownHostException noAddress) {
            return null;
        }
    }

    private static String withoutPort(String address) {
        if (address.startsWith("[")) {
            int end = address.indexOf(']');
            return end < 0 ? address.substring(1) : address.substring(1, end);
        }
        int colon = address.indexOf(':');
        return colon >= 0 && colon == address.lastIndexOf(':') ? address.substring(0, colon) : address;
    }

    private static boolean isZeroBeyond(byte[] bytes, int prefix) {
        for (int bit = prefix; bit < bytes.length * Byte.SIZE; bit++) {
            if (isSet(bytes, bit)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZeroBefore(byte[] bytes, int prefix) {
        for (int bit = 0; bit < prefix; bit++) {
            if (isSet(bytes, bit)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSet(byte[] bytes, int bit) {
        return (bytes[bit / Byte.SIZE] & 0x80 >>> bit % Byte.SIZE) != 0;
    }
}
