// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** Training steps of a small transformer: layer norm, attention and a feed-forward network, twice, then SGD. */
final class TinyTransformer {
    private static final long BATCH = 8;
    private static final long TOKENS = 128;
    private static final long HEADS = 4;
    private static final long HEAD = 64;
    private static final long WIDTH = HEADS * HEAD;
    private static final long INNER = 4 * WIDTH;
    private static final int LAYERS = 2;
    private static final double EPSILON = 1e-5;
    private static final double SCALE = 0.05;
    private static final double LEARNING_RATE = 0.001;

    private record Linear(Tensor weight, Tensor bias) {
        private Tensor of(Tensor x) {
            return torch.linear(x, weight, new TensorOptional(bias));
        }
    }

    private record Layer(Tensor norm1, Tensor norm2, Linear qkv, Linear out, Linear up, Linear down) {}

    private final List<Tensor> parameters = new ArrayList<>();
    private final List<Layer> layers = new ArrayList<>();
    private final Tensor input = torch.randn(BATCH, TOKENS, WIDTH);
    private final Tensor target = torch.randn(BATCH, TOKENS, WIDTH);

    /** Made outside of any scope: it lives as long as the process. */
    TinyTransformer() {
        for (int i = 0; i < LAYERS; i++) {
            layers.add(new Layer(
                    parameter(torch.ones(WIDTH)),
                    parameter(torch.ones(WIDTH)),
                    linear(WIDTH, 3 * WIDTH),
                    linear(WIDTH, WIDTH),
                    linear(WIDTH, INNER),
                    linear(INNER, WIDTH)));
        }
    }

    private Linear linear(long from, long to) {
        Tensor weight = torch.randn(to, from).mul_(new Scalar(SCALE));
        return new Linear(parameter(weight), parameter(torch.zeros(to)));
    }

    private Tensor parameter(Tensor tensor) {
        tensor.set_requires_grad(true);
        parameters.add(tensor);
        return tensor;
    }

    /** Forward, backward, and the change of the parameters. */
    void step() {
        try (PointerScope scope = new PointerScope()) {
            Tensor x = input;
            for (Layer layer : layers) {
                x = x.add(attention(layer, norm(x, layer.norm1)));
                x = x.add(layer.down.of(torch.gelu(layer.up.of(norm(x, layer.norm2)))));
            }
            torch.mse_loss(x, target).backward();
            change();
        }
    }

    private static Tensor norm(Tensor x, Tensor weight) {
        return torch.layer_norm(
                x, new long[] {WIDTH}, new TensorOptional(weight), new TensorOptional(), EPSILON, false);
    }

    private static Tensor attention(Layer layer, Tensor x) {
        Tensor qkv = layer.qkv.of(x).view(BATCH, TOKENS, 3, HEADS, HEAD).permute(2, 0, 3, 1, 4);
        Tensor scores =
                qkv.select(0, 0).matmul(qkv.select(0, 1).transpose(2, 3)).mul(new Scalar(1 / Math.sqrt(HEAD)));
        Tensor mixed = torch.softmax(scores, 3).matmul(qkv.select(0, 2));
        return layer.out.of(mixed.transpose(1, 2).contiguous().view(BATCH, TOKENS, WIDTH));
    }

    private void change() {
        try (AutoGradMode off = new AutoGradMode(false)) {
            for (Tensor parameter : parameters) {
                Tensor gradient = parameter.grad();
                parameter.add_(gradient, new Scalar(-LEARNING_RATE));
                gradient.zero_();
            }
        }
    }
}
