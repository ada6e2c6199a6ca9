// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Tells whether values are those of before without saying what they were: {@code salt:digest}, both in hexadecimal, by
 * PBKDF2 with HMAC-SHA-256, which is slow on purpose.
 */
final class ValueDigest {
    private static final int ROUNDS = 200_000;
    private static final int SALT_BYTES = 16;
    private static final int BITS = 256;

    private ValueDigest() {}

    /** The digest of these values under a new salt; empty of none. */
    static String of(Map<String, String> values) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return values.isEmpty() ? "" : of(values, salt);
    }

    /** Whether the digest is one of these values. */
    static boolean fits(String digest, Map<String, String> values) {
        if (values.isEmpty() || !digest.matches("[0-9a-f]{32}:[0-9a-f]{64}")) {
            return values.isEmpty() == digest.isEmpty();
        }
        return of(values, HexFormat.of().parseHex(digest, 0, 2 * SALT_BYTES)).equals(digest);
    }

    private static String of(Map<String, String> values, byte[] salt) {
        StringBuilder text = new StringBuilder();
        values.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(value -> text.append(value.getKey())
                        .append('=')
                        .append(value.getValue())
                        .append('\0'));
        try {
            PBEKeySpec spec = new PBEKeySpec(text.toString().toCharArray(), salt, ROUNDS, BITS);
            byte[] digest = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            return HexFormat.of().formatHex(salt) + ":" + HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
