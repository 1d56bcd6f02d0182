package dev.agentpolicy.app.verify;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Pages in files. A file holds a page, an array of pages, an array of rows, or several of these one after the other. */
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
            byte[] json = texts == null ? null : texts.next();
            if (json != null) {
                return Page.read(json, "the file " + name);
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
}
