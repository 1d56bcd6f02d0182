package dev.agentpolicy.app.verify;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Pages in files. A file holds a page or a row, or an array of pages or rows. */
final class FilePages implements Pages {
    private final Deque<Path> files;
    private @Nullable InputStream in;
    private @Nullable JsonSplitter texts;
    private String name = "";

    FilePages(Collection<Path> files) {
        this.files = new ArrayDeque<>(files);
    }

    @Override
    public @Nullable Page next() throws IOException {
        while (true) {
            if (texts == null && !open()) {
                return null;
            }
            JsonSplitter open = texts;
            byte[] json = open == null ? null : open.next();
            if (open != null && json != null) {
                return Page.read(json, "the file " + name, open.isArray ? 1 : 0);
            }
            close();
        }
    }

    @Override
    public void close() throws IOException {
        if (in != null) {
            in.close();
        }
        in = null;
        texts = null;
    }

    private boolean open() throws IOException {
        Path file = files.poll();
        if (file == null) {
            return false;
        }
        name = file.toString();
        InputStream opened = Files.newInputStream(file);
        in = opened;
        texts = new JsonSplitter(opened, name);
        return true;
    }

    /**
     * Splits a file into JSON objects, one at a time: the items of an array, or the one that it holds. Does not check that
     * each piece is JSON.
     */
    private static final class JsonSplitter {
        private static final int MAX_SIZE = 64 * 1024 * 1024;
        private static final int BUFFER = 1 << 16;
        private static final int END = -1;

        private final InputStream in;
        private final String name;
        private final byte[] buffer = new byte[BUFFER];
        private final ByteArrayOutputStream text = new ByteArrayOutputStream(BUFFER);
        private int place;
        private int filled;
        private boolean isBegun;
        private boolean isArray;
        private boolean isFirst = true;

        JsonSplitter(InputStream in, String name) {
            this.in = in;
            this.name = name;
        }

        /** The next object, or null at the end. */
        byte @Nullable [] next() throws IOException {
            int c = blank();
            if (!isBegun) {
                isBegun = true;
                isArray = c == '[';
                c = isArray ? blank() : c;
            }
            if (isArray ? c == ']' : !isFirst) {
                return end(isArray ? blank() : c);
            }
            if (isArray && !isFirst) {
                c = c == ',' ? blank() : ' ';
            }
            isFirst = false;
            if (c != '{') {
                throw new CannotVerify("The file " + name + " is not made of JSON objects.");
            }
            return object();
        }

        private byte @Nullable [] end(int c) {
            if (c != END) {
                throw new CannotVerify("The file " + name + " has text after its end.");
            }
            isArray = false;
            isFirst = false;
            return null;
        }

        /** An object whose opening brace was read; braces in strings do not count. */
        private byte[] object() throws IOException {
            text.reset();
            text.write('{');
            int depth = 1;
            boolean isString = false;
            boolean isEscaped = false;
            while (depth > 0) {
                requireMore(text.size());
                int from = place;
                int at = from;
                while (at < filled && depth > 0) {
                    byte c = buffer[at++];
                    if (isString) {
                        isString = isEscaped || c != '"';
                        isEscaped = !isEscaped && c == '\\';
                    } else if (c == '"') {
                        isString = true;
                    } else if (c == '{' || c == '}') {
                        depth += c == '{' ? 1 : -1;
                    }
                }
                place = at;
                text.write(buffer, from, at - from);
            }
            return text.toByteArray();
        }

        private void requireMore(int size) throws IOException {
            if (isEnd() || size > MAX_SIZE) {
                throw new CannotVerify("The file " + name + " ends inside of a JSON object, or holds one too long.");
            }
        }

        private int blank() throws IOException {
            while (!isEnd()) {
                byte c = buffer[place++];
                if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
                    return c & 0xFF;
                }
            }
            return END;
        }

        private boolean isEnd() throws IOException {
            if (place == filled) {
                place = 0;
                filled = Math.max(0, in.read(buffer));
            }
            return filled == 0;
        }
    }
}
