package dev.agentpolicy.domain.agent;

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
}
