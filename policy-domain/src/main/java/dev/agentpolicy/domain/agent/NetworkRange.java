package dev.agentpolicy.domain.agent;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A range of IP addresses in CIDR notation (docs/reference/keys.md), such as {@code 203.0.113.0/24}. */
public final class NetworkRange {
    /** Maximum number of ranges of a key. */
    public static final int MAX = 20;
    /** What a text must be to be a range. */
    public static final String EXPECTED =
            "must be an IP address or a network such as 203.0.113.0/24, without host bits";

    private static final Pattern LENGTH = Pattern.compile("0|[1-9]\\d{0,2}");

    private final IpAddress network;
    private final int prefixLength;

    private NetworkRange(IpAddress network, int prefixLength) {
        this.network = network;
        this.prefixLength = prefixLength;
    }

    /** Reads a range; a lone address is a range of one. Null when the text is none, or has bits beyond the prefix. */
    public static @Nullable NetworkRange of(String text) {
        int slash = text.indexOf('/');
        IpAddress network = IpAddress.of(slash < 0 ? text : text.substring(0, slash));
        String length = slash < 0 ? "" : text.substring(slash + 1);
        if (network == null || slash >= 0 && !LENGTH.matcher(length).matches()) {
            return null;
        }
        int prefix = slash < 0 ? network.bits() : Integer.parseInt(length);
        boolean hasHostBits = prefix > network.bits()
                || network.value().getLowestSetBit() >= 0
                        && network.value().getLowestSetBit() < network.bits() - prefix;
        return hasHostBits ? null : new NetworkRange(network, prefix);
    }

    /** Whether an address, in any form that proxies write, lies in the range. */
    public boolean contains(String address) {
        IpAddress caller = IpAddress.ofCaller(address);
        return caller != null
                && caller.bits() == network.bits()
                && caller.prefix(prefixLength).equals(network.prefix(prefixLength));
    }

    /** Whether every address of another range lies in this one. */
    boolean contains(NetworkRange other) {
        return other.network.bits() == network.bits()
                && other.prefixLength >= prefixLength
                && other.network.prefix(prefixLength).equals(network.prefix(prefixLength));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NetworkRange that && network.equals(that.network) && prefixLength == that.prefixLength;
    }

    @Override
    public int hashCode() {
        return 31 * network.hashCode() + prefixLength;
    }

    @Override
    public String toString() {
        return network + "/" + prefixLength;
    }

    /**
     * An IP address. An IPv4 address that is written as IPv6, such as {@code ::ffff:192.0.2.7}, is that IPv4 address.
     *
     * @param value the address as a number
     * @param bits 32 or 128
     */
    private record IpAddress(BigInteger value, int bits) {
        static final int IPV4_BITS = 32;
        static final int IPV6_BITS = 128;

        private static final Pattern DOTTED =
                Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");
        private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
        private static final int HEX = 16;
        private static final int GROUPS = 8;
        private static final BigInteger MAPPED = BigInteger.valueOf(0xffff);

        /** The address that a text is; null when it is none. */
        static @Nullable IpAddress of(String text) {
            return text.contains(":") ? ofGroups(text) : ofDotted(text);
        }

        /** The address of a caller in any form that proxies write, with or without brackets, zone and port. */
        static @Nullable IpAddress ofCaller(String text) {
            String host = withoutPort(text);
            int zone = host.indexOf('%');
            return of(zone < 0 ? host : host.substring(0, zone));
        }

        /** The leading bits of the address. */
        BigInteger prefix(int length) {
            return value.shiftRight(bits - length);
        }

        @Override
        public String toString() {
            StringJoiner text = new StringJoiner(bits == IPV4_BITS ? "." : ":");
            int step = bits == IPV4_BITS ? Byte.SIZE : HEX;
            for (int from = bits - step; from >= 0; from -= step) {
                int part = value.shiftRight(from).intValue() & (1 << step) - 1;
                text.add(bits == IPV4_BITS ? Integer.toString(part) : Integer.toHexString(part));
            }
            return text.toString();
        }

        private static @Nullable IpAddress ofDotted(String text) {
            return DOTTED.matcher(text).matches() ? new IpAddress(dotted(text), IPV4_BITS) : null;
        }

        private static BigInteger dotted(String text) {
            BigInteger value = BigInteger.ZERO;
            for (String part : text.split("\\.", -1)) {
                value = value.shiftLeft(Byte.SIZE).or(new BigInteger(part));
            }
            return value;
        }

        private static @Nullable IpAddress ofGroups(String text) {
            int gap = text.indexOf("::");
            List<Integer> groups = groups(gap < 0 ? text : text.substring(0, gap));
            List<Integer> last = groups(gap < 0 ? "" : text.substring(gap + 2));
            if (groups == null || last == null) {
                return null;
            }
            int missing = GROUPS - groups.size() - last.size();
            if (gap < 0 ? missing != 0 : missing < 1) {
                return null;
            }
            List<Integer> all = new ArrayList<>(groups);
            for (int i = 0; i < missing; i++) {
                all.add(0);
            }
            all.addAll(last);
            BigInteger value = BigInteger.ZERO;
            for (int group : all) {
                value = value.shiftLeft(HEX).or(BigInteger.valueOf(group));
            }
            return value.shiftRight(IPV4_BITS).equals(MAPPED)
                    ? new IpAddress(
                            value.and(BigInteger.ONE.shiftLeft(IPV4_BITS).subtract(BigInteger.ONE)), IPV4_BITS)
                    : new IpAddress(value, IPV6_BITS);
        }

        /** Groups of 16 bits, the last two of which may be dotted; null when the text has others. */
        private static @Nullable List<Integer> groups(String text) {
            List<Integer> groups = new ArrayList<>();
            String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
            for (int i = 0; i < parts.length; i++) {
                if (GROUP.matcher(parts[i]).matches()) {
                    groups.add(Integer.parseInt(parts[i], HEX));
                } else if (i == parts.length - 1 && DOTTED.matcher(parts[i]).matches()) {
                    int value = dotted(parts[i]).intValue();
                    groups.add(value >>> HEX);
                    groups.add(value & 0xffff);
                } else {
                    return null;
                }
            }
            return groups;
        }

        private static String withoutPort(String address) {
            if (address.startsWith("[")) {
                int end = address.indexOf(']');
                return end < 0 ? address.substring(1) : address.substring(1, end);
            }
            int colon = address.indexOf(':');
            return colon >= 0 && colon == address.lastIndexOf(':') ? address.substring(0, colon) : address;
        }
    }
}
