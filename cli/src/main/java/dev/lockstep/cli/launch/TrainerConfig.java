// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.SettingsFile;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The trainer's configuration. It is handed to the trainer as it is; here it is only looked at.
 *
 * @param file as the user wrote it
 * @param sha256 of its bytes
 * @param maxSteps that training runs for, or -1 where the file does not say
 * @param profiles whether the trainer is told to record traces
 */
public record TrainerConfig(Path file, String sha256, int maxSteps, boolean profiles) {

    /**
     * @throws UserException if it cannot be read, or is neither YAML nor JSON
     */
    public static TrainerConfig read(Path file) {
        byte[] bytes = SettingsFile.bytes(file, "--config names it");
        Map<?, ?> content = parse(file, bytes);
        Object steps = at(content, "training", "max_steps");
        boolean off = Boolean.FALSE.equals(at(content, "profiling", "enabled"))
                || Boolean.FALSE.equals(at(content, "profiling", "chrome_trace"));
        int known = steps instanceof Integer number && number > 0 ? number : -1;
        return new TrainerConfig(file, sha256(bytes), known, !off);
    }

    private static Map<?, ?> parse(Path file, byte[] bytes) {
        Object content =
                SettingsFile.yaml(file.toString(), SettingsFile.text(file, bytes), ErrorCode.FORMAT_CORRUPT, null);
        if (content instanceof Map<?, ?> map) {
            return map;
        }
        throw new UserException(
                ErrorCode.FORMAT_CORRUPT, file + " holds no sections", "expected YAML such as training: {...}");
    }

    private static @Nullable Object at(Map<?, ?> content, String section, String key) {
        return content.get(section) instanceof Map<?, ?> map ? map.get(key) : null;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
