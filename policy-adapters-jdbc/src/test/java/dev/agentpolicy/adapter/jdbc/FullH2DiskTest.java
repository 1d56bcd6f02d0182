package dev.agentpolicy.adapter.jdbc;

/** The disk of an H2 file is full. */
class FullH2DiskTest extends FullDiskTests {

    @Override
    int size() {
        return 24;
    }

    @Override
    Running database(SmallDisk disk) {
        String url = TestStores.h2(disk.root());
        return new Running() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public void close() {
                // The file goes with its disk.
            }
        };
    }
}
