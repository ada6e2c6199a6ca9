// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.EOFException;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content of the entry at which a zip stream stands. What is damaged is reported, and everything that was unpacked
 * before the damage is delivered.
 */
public final class ZipEntrySource implements ByteSource {
    private static final Pattern OF_MACOS = Pattern.compile("^__MACOSX/|(?:^|/)(?:\\._[^/]*|\\.DS_Store)$");

    private final ZipInputStream zip;
    private final Damage damage;
    private boolean ended;

    public ZipEntrySource(ZipInputStream zip, Damage damage) {
        this.zip = zip;
        this.damage = damage;
    }

    /** Moves to the first file, but for what macOS adds to archives; null where there is none. */
    public static @Nullable ZipEntry first(ZipInputStream zip) throws IOException {
        ZipEntry entry = zip.getNextEntry();
        while (entry != null
                && (entry.isDirectory() || OF_MACOS.matcher(entry.getName()).find())) {
            entry = zip.getNextEntry();
        }
        return entry;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (ended) {
            return -1;
        }
        try {
            int n = zip.read(into, offset, length);
            ended = n < 0;
            return n;
        } catch (EOFException e) {
            damage.report(true, "truncated", "the zip archive ends inside its first file; the archive was cut", -1);
        } catch (IOException e) { // the JDK's reader has no exception of its own for every damage
            damage.report(true, "damaged_block", "the zip archive is damaged: " + e.getMessage(), -1);
        }
        ended = true;
        return -1;
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
