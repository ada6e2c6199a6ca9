// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fetch;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of files. */
public final class Sha256 {
    private static final int BUFFER_BYTES = 1 << 16;

    private Sha256() {}

    /** In lower-case hexadecimal digits. */
    public static String of(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = NamedFiles.in(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
