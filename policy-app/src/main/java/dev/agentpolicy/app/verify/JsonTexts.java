package dev.agentpolicy.app.verify;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file into the JSON objects it consists of, one at a time: the items of an array, or texts one after the other.
 * Only cuts; whether each piece is JSON is for its reader to say.
 */
final class JsonTexts {
    private static final int LONGEST = 64 * 1024 * 1024;

    private final InputStream in;
    private final String name;
    private boolean isBegun;
    private boolean isArray;
    private boolean isFirst = true;

    JsonTexts(InputStream in, String name) {
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
        if (isArray && c == ']' || !isArray && c < 0) {
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
        if (c >= 0) {
            throw new CannotVerify("The file " + name + " has text after its end.");
        }
        isArray = false;
        return null;
    }

    private byte[] object() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.write('{');
        boolean isString = false;
        for (int depth = 1; depth > 0; ) {
            int c = in.read();
            if (c < 0 || text.size() > LONGEST) {
                throw new CannotVerify("The file " + name + " ends inside of a JSON object, or holds one too long.");
            }
            text.write(c);
            if (isString && c == '\\') {
                text.write(in.read());
            } else if (c == '"') {
                isString = !isString;
            } else if (!isString) {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            }
        }
        return text.toByteArray();
    }

    private int blank() throws IOException {
        int c = in.read();
        while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            c = in.read();
        }
        return c;
    }
}
