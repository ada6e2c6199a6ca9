// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The ways in which a file may be packed. */
public enum Packing {
    PLAIN {
        @Override
        public byte[] pack(byte[] content) {
            return content;
        }
    },
    GZIP {
        @Override
        public byte[] pack(byte[] content) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(content);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toByteArray();
        }
    },
    GZIP_MEMBERS {
        @Override
        public byte[] pack(byte[] content) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int third = content.length / 3;
            out.writeBytes(GZIP.pack(Arrays.copyOfRange(content, 0, third)));
            out.writeBytes(GZIP.pack(Arrays.copyOfRange(content, third, content.length)));
            return out.toByteArray();
        }
    },
    GZIP_IN_GZIP {
        @Override
        public byte[] pack(byte[] content) {
            return GZIP.pack(GZIP.pack(content));
        }
    },
    /** A frame with all as it is, which needs no packer. */
    ZSTD {
        @Override
        public byte[] pack(byte[] content) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, (byte) 0xA0});
            little(out, content.length, 4);
            int at = 0;
            do {
                int length = Math.min(ZSTD_BLOCK, content.length - at);
                boolean last = at + length == content.length;
                little(out, length << 3 | (last ? 1 : 0), 3);
                out.write(content, at, length);
                at += length;
            } while (at < content.length);
            return out.toByteArray();
        }
    },
    ZIP {
        @Override
        public byte[] pack(byte[] content) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ZipOutputStream zip = new ZipOutputStream(out)) {
                add(zip, "folder/", new byte[0]);
                add(zip, "__MACOSX/folder/._trace.json", new byte[] {0, 5, 22, 7});
                add(zip, "folder/.DS_Store", new byte[] {0, 0, 0, 1});
                add(zip, "folder/trace.json", content);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toByteArray();
        }
    };

    private static final int ZSTD_BLOCK = 1 << 17;

    private static void little(ByteArrayOutputStream out, int number, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write(number >> i * 8);
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(1_600_000_000_000L);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    /** The content, packed. */
    public abstract byte[] pack(byte[] content);
}
