// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.testkit.Message;

/** Packets of render stages, written down in a test with the numbers of the format's definition. */
final class StageText {
    private StageText() {}

    /** A packet of interned data with which a sequence begins. */
    static Message interned(int sequence, Message data) {
        return new Message().number(10, sequence).number(13, 1).message(12, data);
    }

    /** Names of PyTorch's kinds, 1 to 6, and of queues, from 101 on. */
    static Message specifications(String... queues) {
        Message data = new Message();
        String[] kinds = {"Kernel", "Memcpy", "Memset", "Annotation", "Graph Event", "Host Node"};
        for (int i = 0; i < kinds.length; i++) {
            data.message(24, named(i + 1, kinds[i]).number(4, i == 0 ? 2 : 0));
        }
        for (int i = 0; i < queues.length; i++) {
            data.message(24, named(101 + i, queues[i]));
        }
        return data;
    }

    static Message named(long iid, String name) {
        return new Message().number(1, iid).text(2, name);
    }

    /** A stage of one of the kinds on one of the queues of {@link #specifications}, of GPU 0. */
    static Message stage(long id, int kind, int queue, long duration) {
        return new Message()
                .number(1, id)
                .number(2, duration)
                .number(11, 0)
                .number(13, 100 + queue)
                .number(14, kind);
    }

    static Message extra(Message stage, String name, String value) {
        return stage.message(6, new Message().text(1, name).text(2, value));
    }

    /** A packet with a stage. */
    static Message packet(long ts, Message stage) {
        return new Message().number(8, ts).number(10, 1).number(13, 2).message(53, stage);
    }

    static Message size(long x, long y, long z) {
        return new Message().number(1, x).number(2, y).number(3, z);
    }

    /** A call that says what it submitted. */
    static Message call(long track, String name, long... stages) {
        Message submitted = new Message();
        for (long stage : stages) {
            submitted.number(1, stage);
        }
        return PacketText.begin(track, "cuda_runtime", name).message(3000, submitted);
    }
}
