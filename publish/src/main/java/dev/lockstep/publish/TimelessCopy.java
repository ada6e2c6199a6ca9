// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import dev.lockstep.error.NamedFiles;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Writes a finished zip anew: every entry gets the same time, and some get other content. Equal content, equal bytes. */
final class TimelessCopy {
    private TimelessCopy() {}

    /** @param replaced entries whose content is not that of the original */
    static void write(byte[] zip, Path target, Map<String, byte[]> replaced) throws IOException {
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip));
                ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(NamedFiles.out(target)))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                ZipEntry own = new ZipEntry(entry.getName());
                own.setTimeLocal(TimelessZip.TIME);
                out.putNextEntry(own);
                byte[] content = replaced.get(entry.getName());
                if (content == null) {
                    in.transferTo(out);
                } else {
                    out.write(content);
                }
                out.closeEntry();
            }
        }
    }
}
