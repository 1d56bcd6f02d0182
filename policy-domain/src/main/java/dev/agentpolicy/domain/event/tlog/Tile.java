package dev.agentpolicy.domain.event.tlog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The place of a tile in a log (C2SP tlog-tiles). A tile has up to 256 hashes of one level, or up to 256 entries. It is
 * only appended to: a partial tile is the beginning of the full one.
 *
 * @param level 0 for the hashes of leaves, 1 for the roots of full tiles of level 0, and so on; {@link #ENTRIES} for
 *     entries
 * @param index 0, 1, 2, ... within the level
 */
public record Tile(int level, long index) {
    public static final int WIDTH = 256;
    public static final int HEIGHT = 8;
    /** The level of the bundles of entries. */
    public static final int ENTRIES = -1;

    private static final String ENTRIES_NAME = "entries";
    private static final int MAX_LEVEL = 63;
    private static final int LENGTH_BYTES = 2;
    private static final int MAX_ENTRY_BYTES = 0xffff;
    private static final int DIGITS = 3;
    private static final long THOUSAND = 1_000;

    public Tile {
        if (level < ENTRIES || level > MAX_LEVEL || index < 0) {
            throw new IllegalArgumentException("There is no tile " + index + " of level " + level + ".");
        }
    }

    /** Where the bytes of tiles come from. */
    public interface TileSource {
        /** The bytes of a tile, at least as wide as the tree that is read needs it. */
        byte[] read(Tile tile);
    }

    /**
     * A tile and how much of it is asked for.
     *
     * @param width 1 to 256
     */
    public record Slice(Tile tile, int width) {
        /** The path after the prefix of the log. */
        public String path() {
            String level = tile.level == ENTRIES ? ENTRIES_NAME : Integer.toString(tile.level);
            return "tile/" + level + "/" + tile.indexPath() + (width == WIDTH ? "" : ".p/" + width);
        }

        /**
         * Reads a path without {@code tile/}.
         *
         * @return null unless it is exactly as {@link #path} writes it
         */
        public static @Nullable Slice read(String path) {
            int slash = path.indexOf('/');
            int partial = path.indexOf(".p/");
            if (slash < 0 || partial >= 0 && partial < slash) {
                return null;
            }
            String level = path.substring(0, slash);
            String index = path.substring(slash + 1, partial < 0 ? path.length() : partial);
            try {
                Tile tile = new Tile(
                        level.equals(ENTRIES_NAME) ? ENTRIES : Integer.parseUnsignedInt(level),
                        Long.parseUnsignedLong(index.replace("/", "").replace("x", "")));
                int width = partial < 0 ? WIDTH : Integer.parseUnsignedInt(path.substring(partial + ".p/".length()));
                Slice slice = new Slice(tile, width);
                return width > 0 && width <= WIDTH && slice.path().equals("tile/" + path) ? slice : null;
            } catch (IllegalArgumentException malformed) {
                return null;
            }
        }

        /** Whether a tree of some size has all of it. */
        public boolean isWithin(long size) {
            int bits = HEIGHT * Math.max(0, tile.level);
            long hashes = bits >= Long.SIZE ? 0 : size >> bits;
            return tile.index < Long.MAX_VALUE / WIDTH && tile.index * WIDTH + width <= hashes;
        }

        /** Cuts the bytes of the slice out of those of the tile. */
        public byte[] of(byte[] bytes) {
            if (tile.level != ENTRIES) {
                return Arrays.copyOf(bytes, width * LogTree.HASH_BYTES);
            }
            int end = 0;
            for (int i = 0; i < width; i++) {
                end += LENGTH_BYTES + length(bytes, end);
            }
            return Arrays.copyOf(bytes, end);
        }
    }

    private String indexPath() {
        StringBuilder path = new StringBuilder(digits(index % THOUSAND));
        for (long rest = index / THOUSAND; rest > 0; rest /= THOUSAND) {
            path.insert(0, "x" + digits(rest % THOUSAND) + "/");
        }
        return path.toString();
    }

    private static String digits(long below1000) {
        return "0".repeat(DIGITS - Long.toString(below1000).length()) + below1000;
    }

    /** The tree of a log whose hashes are in tiles. Each tile is read once. */
    public static LogTree tree(long size, TileSource reader) {
        Map<Tile, byte[]> tiles = new HashMap<>();
        return new LogTree(size, (level, index) -> {
            int within = level % HEIGHT;
            long first = index << within;
            Tile tile = new Tile(level / HEIGHT, first / WIDTH);
            byte[] bytes = tiles.computeIfAbsent(tile, reader::read);
            int at = (int) (first % WIDTH);
            return root(bytes, at, at + (1 << within));
        });
    }

    /** The entries of a bundle, which must be whole. */
    public static List<byte[]> entries(byte[] bundle) {
        List<byte[]> entries = new ArrayList<>();
        int at = 0;
        while (at < bundle.length) {
            int from = at + LENGTH_BYTES;
            at = from + length(bundle, at);
            entries.add(Arrays.copyOfRange(bundle, from, at));
        }
        return entries;
    }

    /** The length of the entry that begins at a place of a bundle. */
    private static int length(byte[] bundle, int at) {
        return Byte.toUnsignedInt(bundle[at]) << Byte.SIZE | Byte.toUnsignedInt(bundle[at + 1]);
    }

    /** The root of 2^n hashes of a tile. */
    private static byte[] root(byte[] hashes, int from, int end) {
        if (end - from == 1) {
            return Arrays.copyOfRange(hashes, from * LogTree.HASH_BYTES, end * LogTree.HASH_BYTES);
        }
        int middle = (from + end) / 2;
        return LogTree.nodeHash(root(hashes, from, middle), root(hashes, middle, end));
    }

    /** Appends entries to a log: it grows the rightmost tile of each level and begins new ones. Not thread-safe. */
    public static final class TileWriter {
        private final TileSource stored;
        private final Map<Tile, byte[]> grown = new LinkedHashMap<>();
        private long size;

        /** @param size the number of entries so far */
        public TileWriter(long size, TileSource stored) {
            this.size = size;
            this.stored = stored;
        }

        /**
         * Appends an entry of at most 65,535 bytes.
         *
         * @return its index
         */
        public long append(byte[] entry) {
            if (entry.length > MAX_ENTRY_BYTES) {
                throw new IllegalArgumentException("An entry has at most " + MAX_ENTRY_BYTES + " bytes.");
            }
            long index = size++;
            push(ENTRIES, index, new byte[] {(byte) (entry.length >> Byte.SIZE), (byte) entry.length}, entry);
            push(0, index, LogTree.leafHash(entry), new byte[0]);
            return index;
        }

        private void push(int level, long index, byte[] head, byte[] rest) {
            Tile tile = new Tile(level, index / WIDTH);
            int width = (int) (index % WIDTH);
            byte[] known = grown.get(tile);
            byte[] before = known == null ? stored(tile, width) : known;
            byte[] bytes = LogTree.join(before, head, rest);
            grown.put(tile, bytes);
            if (level >= 0 && width == WIDTH - 1) {
                push(level + 1, index / WIDTH, root(bytes, 0, WIDTH), rest);
            }
        }

        private byte[] stored(Tile tile, int width) {
            return width == 0 ? new byte[0] : new Slice(tile, width).of(stored.read(tile));
        }

        public long size() {
            return size;
        }

        /** The tiles that have grown, with all their bytes. */
        public Map<Tile, byte[]> grown() {
            return Collections.unmodifiableMap(grown);
        }

        /** The tree of all entries. */
        public LogTree tree() {
            return Tile.tree(size, tile -> {
                byte[] bytes = grown.get(tile);
                return bytes == null ? stored.read(tile) : bytes;
            });
        }
    }
}
