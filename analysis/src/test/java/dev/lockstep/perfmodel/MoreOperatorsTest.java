// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static dev.lockstep.perfmodel.Calls.call;
import static dev.lockstep.perfmodel.Calls.forward;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures by hand: softmax and losses, what moves data, optimizers, pooling, products of groups, tables of embeddings. */
class MoreOperatorsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "aten::gelu | [[2,3],[]] | ['c10::Half',''] | ['',''] | 6 | 24",
                "aten::clamp | [[2,3],[],[]] | ['float','Scalar','Scalar'] | ['','0',''] | 6 | 48",
                "aten::sub | [[2,3],[3],[]] | ['float','float','Scalar'] | ['','','1'] | 6 | 60",
                "aten::gelu_backward | [[2,3],[2,3],[]] | ['c10::Half','c10::Half',''] | ['','',''] | 6 | 36",
                // a byte for each truth value
                "aten::eq | [[2,3],[]] | ['long int','Scalar'] | ['','1'] | 6 | 54",
                "aten::logical_not | [[2,3]] | ['bool'] | [''] | 6 | 12",
                "aten::addcmul_ | [[2,3],[2,3],[2,3],[]] | ['float','float','float','Scalar'] | ['','','','1'] | 18 |"
                        + " 96",
                "aten::where | [[2,3],[],[2,3]] | ['bool','Scalar','float'] | ['','1',''] | 0 | 54",
                "aten::masked_fill_ | [[2,3],[2,1],[]] | ['c10::Half','bool','Scalar'] | ['','','0'] | 0 | 26",
                "aten::native_dropout | [[2,3],[],[]] | ['float','Scalar','Scalar'] | ['','0.1','True'] | 12 | 54",
                // each value: greatest, difference, exponential, sum, quotient
                "aten::_softmax | [[2,8],[],[]] | ['c10::Half','Scalar','Scalar'] | ['','-1','False'] | 80 | 64",
                // the result in single precision
                "aten::_softmax | [[2,8],[],[]] | ['c10::Half','Scalar','Scalar'] | ['','-1','True'] | 80 | 96",
                "aten::_log_softmax | [[2,8],[],[]] | ['float','Scalar','Scalar'] | ['','1','False'] | 80 | 128",
                "aten::_softmax_backward_data | [[2,8],[2,8],[],[]] | ['c10::Half','c10::Half','Scalar','Scalar'] |"
                        + " ['','','-1','5'] | 64 | 96",
                // 2 squares of 4: 10 of 16 are computed, all are written
                "ScaledUpperTriangMaskedSoftmax | [[2,4,4]] | ['c10::Half'] | [''] | 120 | 104",
                "aten::nll_loss_forward | [[4,10],[4],[],[],[]] | ['float','long int','','Scalar','Scalar'] |"
                        + " ['','','','1','-100'] | 4 | 48",
                "aten::mse_loss | [[2,3],[2,3],[]] | ['float','float','Scalar'] | ['','','1'] | 18 | 48",
                "aten::mse_loss | [[2,3],[2,3],[]] | ['float','float','Scalar'] | ['','','0'] | 18 | 72",
                "aten::mse_loss_backward | [[],[2,3],[2,3],[]] | ['float','float','float','Scalar'] | ['','','','1'] |"
                        + " 18 | 76",
                "aten::fill_ | [[2,3],[]] | ['float','Scalar'] | ['','0'] | 0 | 24",
                "aten::index_select | [[10,4],[],[3]] | ['c10::Half','Scalar','long int'] | ['','0',''] | 0 | 72",
                "aten::index_select | [[10,4],[],[3]] | ['c10::Half','Scalar','long int'] | ['','-1',''] | 0 | 144",
                "aten::embedding | [[100,8],[2,3],[],[],[]] | ['c10::Half','long int','Scalar','Scalar','Scalar'] |"
                        + " ['','','-1','False','False'] | 0 | 240",
                "aten::embedding_dense_backward | [[2,3,8],[2,3],[],[],[]] | ['float','long"
                        + " int','Scalar','Scalar','Scalar'] | ['','','100','-1','False'] | 48 | 624",
                "aten::gather | [[50],[],[6],[]] | ['float','Scalar','long int','Scalar'] | ['','0','','False'] | 0 |"
                        + " 96",
                "aten::scatter_add_ | [[50],[],[6],[6]] | ['float','Scalar','long int','float'] | ['','0','',''] | 6 |"
                        + " 120",
                "aten::_index_put_impl_ | [[8,8],[],[6],[],[]] | ['float','','float','Scalar','Scalar'] |"
                        + " ['','','','False','False'] | 0 | 48",
                // 2 of 3 rows have a place: 2 * (4 values of 2 + 1 bytes, 6 of 2 + 1, a place of 8)
                "_C_cache_ops::reshape_and_cache_flash | [[3,1,4],[3,1,6],[9,16,1,4],[9,16,1,6],[2],[],[],[]] |"
                        + " ['c10::Half','c10::Half','unsigned char','unsigned char','long int','','float','float'] |"
                        + " ['','','','','','','',''] | 0 | 76",
                "aten::sort | [[2,8],[],[]] | ['float','Scalar','Scalar'] | ['','-1','False'] | 0 | 256",
                // 2 rows of 8; 3 of each with their places
                "aten::topk | [[2,8],[],[],[],[]] | ['float','Scalar','Scalar','Scalar','Scalar'] |"
                        + " ['','3','-1','True','True'] | 0 | 136",
                "aten::argmax | [[2,8],[],[]] | ['float','Scalar','Scalar'] | ['','-1','False'] | 16 | 80",
                // 4 x 4, windows of 3 at a distance of 2 with a margin of 1: 2 x 2
                "aten::max_pool2d_with_indices | [[1,2,4,4],[],[],[],[],[]] |"
                        + " ['float','ScalarList','ScalarList','ScalarList','ScalarList','Scalar'] | ['','[3, 3]','[2,"
                        + " 2]','[1, 1]','[1, 1]','False'] | 72 | 224",
                // 5 x 5, windows of 2 at their own distance, of which the last may stick out: 3 x 3
                "aten::avg_pool2d | [[1,1,5,5],[],[],[],[],[],[]] |"
                        + " ['float','ScalarList','ScalarList','ScalarList','Scalar','Scalar',''] | ['','[2, 2]','[]','[0,"
                        + " 0]','True','True',''] | 36 | 136",
                "aten::max_pool2d_with_indices_backward | [[1,2,2,2],[1,2,4,4],[],[],[],[],[],[1,2,2,2]] |"
                        + " ['float','float','ScalarList','ScalarList','ScalarList','ScalarList','Scalar','long int'] |"
                        + " ['','','[3, 3]','[2, 2]','[1, 1]','[1, 1]','False',''] | 8 | 224",
                "aten::_adaptive_avg_pool2d | [[1,2,4,4],[]] | ['float','ScalarList'] | ['','[1, 1]'] | 32 | 136",
                // rows (6, 4) by 3 matrices (4, 5)
                "aten::_grouped_mm | [[6,4],[3,4,5],[3],[],[]] | ['c10::BFloat16','c10::BFloat16','int','',''] |"
                        + " ['','','','',''] | 240 | 240",
                // (4, 6) by (6, 5), cut into 3 along 6: 3 results (4, 5)
                "aten::_grouped_mm | [[4,6],[6,5],[3],[],[]] | ['c10::BFloat16','c10::BFloat16','int','',''] |"
                        + " ['','','','',''] | 240 | 240",
                "aten::_grouped_mm | [[2,3,4],[2,4,5],[],[],[]] | ['c10::BFloat16','c10::BFloat16','','',''] |"
                        + " ['','','','',''] | 240 | 188",
                // gradient (1,2,3,3), weight (2,4,3,3): 2 * 18 * 36; the input was (1,4,5,5)
                "aten::cudnn_convolution_backward_input | [[],[1,2,3,3],[2,4,3,3]] | ['ScalarList','float','float'] |"
                        + " ['[1, 4, 5, 5]','',''] | 1296 | 760",
                "aten::cudnn_convolution_backward_weight | [[],[1,2,3,3],[1,4,5,5]] | ['ScalarList','float','float'] |"
                        + " ['[2, 4, 3, 3]','',''] | 1296 | 760",
                "fbgemm::FloatToFP8RowwiseQuantized | [[10,16],[]] | ['float','Scalar'] | ['','True'] | 320 | 880",
                "fbgemm::FP8RowwiseQuantizedToFloat | [[10,24],[]] | ['unsigned char','Scalar'] | ['','True'] | 320 |"
                        + " 880",
                // 2 parts of 4 values each: 5 * 8 + 6 * 2; twice 16 bytes, twice 8, 8 for each part
                "FusedLayerNormAffineFunction | [[2,4],[4],[4]] | ['c10::Half','c10::Half','c10::Half'] | ['','',''] |"
                        + " 52 | 64",
            })
    void countsAndMoves(String name, String dims, String types, String values, double flops, double bytes)
            throws NotModelled {
        Work work = forward(call(name, dims, types, values));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    /** Types of lists are not recorded; names of kernels tell them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "aten::cat | [[[2,3],[4,3]],[]] | CatArrayBatchedCopy<OpaqueType<2u>, unsigned int, 2> | 0 | 72",
                "aten::cat | [[[2,3],[4,3]],[]] | CatArrayBatchedCopy_contig<OpaqueType<8u>, unsigned int, 2> | 0 |"
                        + " 288",
                "aten::_foreach_add_ | [[[2,3],[4]],[[2,3],[4]],[]] | multi_tensor_apply_kernel<TensorListMetadata<2>,"
                        + " BinaryOpListAlphaFunctor<float, 2>> | 10 | 120",
                "aten::_foreach_mul_ | [[[2,3],[4]],[]] |"
                        + " multi_tensor_apply_kernel<BinaryOpScalarFunctor<c10::BFloat16, 1>> | 10 | 40",
                "aten::_foreach_addcdiv_ | [[[10]],[[10]],[[10]],[]] |"
                        + " multi_tensor_apply_kernel<PointwiseOpScalarFunctor<double>> | 30 | 320",
                "aten::_fused_adamw_ | [[[10]],[[10]],[[10]],[[10]],[],[[]]] |"
                        + " multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>> | 140 | 280",
                "aten::_foreach_copy_ | [[[2,3],[4]],[[2,3],[4]],[]] | multi_tensor_apply_kernel<TensorListMetadata<2>,"
                        + " UnaryOpFunctor<c10::BFloat16, 2, 1, 1>, Copy<c10::BFloat16, c10::BFloat16> > | 0 | 40",
                // written as int, read as long; written as bfloat16, read as float
                "aten::_foreach_copy_ | [[[2,3],[4]],[[2,3],[4]],[]] | multi_tensor_apply_kernel<TensorListMetadata<2>,"
                        + " CopyFunctor<int, long, 2, 1, 1>, Copy<int, long> > | 0 | 120",
                "aten::_foreach_copy_ | [[[2,3],[4]],[[2,3],[4]],[]] | multi_tensor_apply_kernel<TensorListMetadata<2>,"
                        + " CopyFunctor<c10::BFloat16, float, 2, 1, 1>, Copy<c10::BFloat16, float> > | 0 | 60",
                // learning rate and decay rates are double, whatever the parameters are
                "aten::_fused_adamw_ | [[[10]],[[10]],[[10]],[[10]],[],[[]]] |"
                        + " multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor<float, 4,"
                        + " (ADAM_MODE)1, false>, float const*, double, double, double, double, double, bool> | 140 | 280",
                "aten::_fused_adamw_ | [[[10]],[[10]],[[10]],[[10]],[],[[]]] |"
                        + " multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor<double, 4,"
                        + " (ADAM_MODE)1, false>, float const*, double, double, double, double, double, bool> | 140 | 560",
                "aten::_fused_sgd_ | [[[10]],[[10]],[]] | multi_tensor_apply_kernel<FusedSgdMathFunctor<float, 2>> |"
                        + " 40 | 120",
            })
    void listsOfTensorsAreMeasuredByTheirKernel(String name, String dims, String kernel, double flops, double bytes)
            throws NotModelled {
        Work work = forward(
                call(name, dims, "['TensorList','TensorList','TensorList','TensorList','','']", "['','','','','','']")
                        .withKernels(List.of(kernel)));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    /** Sizes are small enough to count. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "aten::glu | [[2,6],[]] | ['float','Scalar'] | ['','-1'] | 12 | 72",
                "aten::glu_backward | [[2,3],[2,6],[]] | ['c10::Half','c10::Half','Scalar'] | ['','','-1'] | 30 | 60",
                "aten::index_copy_ | [[5,4],[],[3],[3,4]] | ['float','Scalar','long int','float'] | ['','0','',''] | 0"
                        + " | 120",
                "aten::bucketize | [[2,3],[4],[],[]] | ['float','float','Scalar','Scalar'] | ['','','False','False'] |"
                        + " 0 | 88",
                "aten::searchsorted | [[4],[2,3],[],[]] | ['float','float','Scalar','Scalar'] | ['','','True','False']"
                        + " | 0 | 64",
                "aten::_embedding_bag | [[10,4],[7],[3]] | ['float','long int','long int'] |"
                        + " ['','','','False','0','False','','False','-1'] | 28 | 240",
                "aten::_embedding_bag | [[10,4],[7],[3]] | ['float','long int','long int'] |"
                        + " ['','','','False','0','False','','True','-1'] | 28 | 224",
                "aten::_embedding_bag_dense_backward | [[3,4],[7],[7],[3]] | ['float','long int','long int','long"
                        + " int'] | ['','','','','','10'] | 28 | 320",
                "aten::upsample_bilinear2d | [[1,2,3,3],[],[]] | ['float','ScalarList','Scalar'] | ['','[6,"
                        + " 6]','False'] | 504 | 360",
                "aten::upsample_nearest2d_backward | [[1,2,6,6],[],[]] | ['float','ScalarList','ScalarList'] |"
                        + " ['','[6, 6]','[1, 2, 3, 3]'] | 72 | 360",
                "aten::upsample_bilinear2d_backward | [[1,2,6,6],[],[]] | ['float','ScalarList','ScalarList'] |"
                        + " ['','[6, 6]','[1, 2, 3, 3]'] | 576 | 360",
                "aten::grid_sampler_2d | [[1,2,3,3],[1,4,4,2],[],[],[]] | ['float','float','Scalar','Scalar','Scalar']"
                        + " | ['','','0','0','False'] | 224 | 328",
                "aten::mv | [[3,4],[4]] | ['float','float'] | ['',''] | 24 | 76",
                "aten::addmv | [[3],[3,4],[4],[],[]] | ['float','float','float','Scalar','Scalar'] |"
                        + " ['','','','1','1'] | 27 | 88",
                "aten::dot | [[4],[4]] | ['float','float'] | ['',''] | 8 | 36",
                "aten::_int_mm | [[3,4],[4,5]] | ['signed char','signed char'] | ['',''] | 120 | 92",
                "aten::_weight_int8pack_mm | [[3,4],[5,4],[5]] | ['c10::BFloat16','signed char','c10::BFloat16'] |"
                        + " ['','',''] | 120 | 84",
                "aten::_adaptive_avg_pool3d | [[1,2,4,4,4],[]] | ['float','ScalarList'] | ['','[2, 2, 2]'] | 128 | 576",
                "aten::adaptive_max_pool2d_backward | [[1,2,2,2],[1,2,4,4],[1,2,2,2]] | ['float','float','long int'] |"
                        + " ['','',''] | 8 | 224",
                "aten::linalg_vector_norm | [[2,8],[],[],[],[]] | ['float','Scalar','ScalarList','Scalar',''] |"
                        + " ['','2','[1]','False',''] | 16 | 72",
                "aten::var_mean | [[2,8],[],[],[]] | ['float','ScalarList','Scalar','Scalar'] | ['','[1]','','False']"
                        + " | 16 | 72",
                "aten::split_with_sizes_copy | [[4,8],[],[]] | ['float','ScalarList','Scalar'] | ['','[4, 4]','1'] | 0"
                        + " | 256",
                "aten::_scaled_dot_product_flash_attention_backward | [[1,2,4,8],[1,2,4,8],[1,2,4,8],[1,2,4,8]] |"
                        + " ['c10::Half','c10::Half','c10::Half','c10::Half'] |"
                        + " ['','','','','','','','','4','4','0','False'] | 2560 | 896",
                "aten::_scaled_dot_product_efficient_attention_backward | [[1,2,4,8],[1,2,4,8],[1,2,4,8],[1,2,4,8]] |"
                        + " ['c10::Half','c10::Half','c10::Half','c10::Half'] |"
                        + " ['','','','','','','','','','0','','False'] | 2048 | 896"
            })
    void operatorsThatRunBesideTheLargeOnes(
            String op, String dims, String types, String concrete, double flops, double bytes) throws NotModelled {
        Work work = forward(call(op, dims, types, concrete));
        assertThat(work.flops()).isEqualTo(flops);
        assertThat(work.bytes()).isEqualTo(bytes);
    }

    @Test
    void recurrentLayersMultiplyEachMatrixOnceForEachStep() throws NotModelled {
        // an LSTM of 4 units over 3 features: matrices of 48 and 64 weights, 7 steps of 2 sequences
        String dims = "[[7,2,3],[[16,3],[16,4],[16],[16]],[]]";
        String types = "['float','TensorList','Scalar']";
        assertThat(forward(call("aten::_cudnn_rnn", dims, types, "['','','4']")).flops())
                .isEqualTo(2 * 112 * 14);
        assertThat(forward(call("aten::_cudnn_rnn_backward", dims, types, "['','','4']"))
                        .flops())
                .isEqualTo(4 * 112 * 14);
        assertThat(forward(call("aten::_cudnn_rnn", dims, types, "['','','4']")).bytes())
                .isNaN();
        assertThatThrownBy(() -> forward(call("aten::_cudnn_rnn", dims, types, "['','','5']")))
                .isInstanceOf(NotModelled.class);
    }

    @Test
    void whatListsDoNotTellIsNotGuessed() {
        OpCall old = call("aten::cat", "[[],[]]", "['TensorList','Scalar']", "['','0']");
        assertThatThrownBy(() -> forward(old.withKernels(List.of("CatArrayBatchedCopy<OpaqueType<4u>>"))))
                .isInstanceOf(NotModelled.class)
                .hasMessage("the shapes of a list were not recorded");
        OpCall copied = call("aten::cat", "[[[2],[2]],[]]", "['TensorList','Scalar']", "['','0']");
        assertThatThrownBy(() -> forward(copied.withKernels(List.of("Memcpy DtoD (Device -> Device)"))))
                .isInstanceOf(NotModelled.class)
                .hasMessage("the element type of a list is not recorded");
    }

    @Test
    void resultsHaveTheShapesOfTheirGradients() throws NotModelled {
        OpCall gradient = call("CatBackward0", "[[6,4]]", "['c10::Half']", "[]");
        OpCall cat = call("aten::cat", "[[],[]]", "['TensorList','Scalar']", "['','0']");
        assertThat(forward(cat.withGradient(gradient)).bytes()).isEqualTo(2 * 24 * 2);

        OpCall index = call("aten::index", "[[16,27,27],[]]", "['float','']", "[]");
        OpCall picked = call("IndexBackward0", "[[16,351]]", "['float']", "[]");
        assertThat(forward(index.withGradient(picked)).bytes()).isEqualTo(2 * 16 * 351 * 4);
        assertThatThrownBy(() -> forward(index.withGradient(call("IndexBackward0", "[[]]", "['']", "[]"))))
                .isInstanceOf(NotModelled.class)
                .hasMessage("which values an index picks is not recorded");
    }

    @Test
    void convolutionsWithoutValuesAreJudgedByTheirResults() throws NotModelled {
        // 2 images of 4 channels, 6 by 6; 8 filters over 2 channels each, 3 by 3, stride 2; 8 by 3 by 3 come out
        OpCall conv = OpCall.of(
                "aten::convolution",
                "[[2,4,6,6],[8,2,3,3],[8],[],[],[],[],[],[]]",
                Calls.json("['float','float','float','ScalarList','','','','','']"),
                null,
                null);
        OpCall gradient = call("ConvolutionBackward0", "[[2,8,3,3]]", "['float']", "[]");
        Work forward = forward(conv.withGradient(gradient));
        // 144 values with 18 products and sums each, and the bias
        assertThat(forward.flops()).isEqualTo(144 * 36 + 144);
        assertThat(forward.bytes()).isEqualTo(4 * (288 + 144 + 144 + 8));
        OpCall recorded = call(
                "aten::convolution",
                "[[2,4,6,6],[8,2,3,3],[8],[],[],[],[],[],[]]",
                "['float','float','float','','','','','','']",
                "['','','','[2, 2]','[1, 1]','[1, 1]','False','[0, 0]','2']");
        assertThat(forward(recorded).flops()).isEqualTo(forward.flops());
        assertThat(forward(recorded).bytes()).isEqualTo(forward.bytes());
        assertThatThrownBy(() -> forward(conv)).isInstanceOf(NotModelled.class);
        // larger than its input, with as many channels: may be transposed
        OpCall larger =
                OpCall.of("aten::convolution", "[[2,4,6,6],[4,4,3,3]]", Calls.json("['float','float']"), null, null);
        OpCall large = call("ConvolutionBackward0", "[[2,4,12,12]]", "['float']", "[]");
        assertThatThrownBy(() -> forward(larger.withGradient(large)))
                .isInstanceOf(NotModelled.class)
                .hasMessage("whether a convolution is transposed is not recorded");
    }

    /** Before PyTorch 1.11, which wrote no values of arguments. */
    @Test
    void oldConvolutionsKnowSizesByTheirForwardCall() throws NotModelled {
        OpCall conv = OpCall.of(
                "aten::cudnn_convolution",
                "[[2,4,6,6],[8,2,3,3],[],[]]",
                Calls.json("['float','float','','']"),
                null,
                null);
        OpCall gradient = call("CudnnConvolutionBackward", "[[2,8,3,3]]", "['float']", "[]");
        assertThat(forward(conv.withGradient(gradient)).flops()).isEqualTo(144 * 36);
        assertThat(forward(conv.withGradient(gradient)).bytes()).isEqualTo(4 * (288 + 144 + 144));

        String types = Calls.json("['','float','float']");
        OpCall input =
                OpCall.of("aten::cudnn_convolution_backward_input", "[[],[2,8,3,3],[8,2,3,3]]", types, null, null);
        assertThat(forward(input).flops()).isEqualTo(144 * 36);
        assertThat(forward(input).bytes()).isNaN();
        assertThat(forward(input.withForward(conv)).bytes()).isEqualTo(4 * (288 + 144 + 144));
        OpCall weight =
                OpCall.of("aten::cudnn_convolution_backward_weight", "[[],[2,8,3,3],[2,4,6,6]]", types, null, null);
        assertThat(forward(weight.withForward(conv)).flops()).isEqualTo(144 * 36);
        assertThat(forward(weight.withForward(conv)).bytes()).isEqualTo(4 * (288 + 144 + 144));
        assertThatThrownBy(() -> forward(weight)).isInstanceOf(NotModelled.class);
    }

    @Test
    void theBackwardOfAConvolutionWithoutAMaskIsWhatItsKernelsAreCalled() throws NotModelled {
        OpCall backward = OpCall.of(
                "aten::convolution_backward",
                "[[2,8,3,3],[2,4,6,6],[8,2,3,3],[],[],[],[],[],[],[],[]]",
                Calls.json("['float','float','float','','','','','','','','']"),
                null,
                null);
        assertThat(forward(backward.withKernels(List.of("Cast", "Conv2DBackpropFilter12")))
                        .flops())
                .isEqualTo(144 * 36);
        Work both = forward(backward.withKernels(List.of("Conv2DBackpropFilter12", "Conv2DBackpropInput13")));
        assertThat(both.flops()).isEqualTo(2 * 144 * 36);
        assertThat(both.bytes()).isEqualTo(2 * 4 * (288 + 144 + 144));
        assertThat(forward(backward.withKernels(List.of("xmma_wgrad_f16", "xmma_dgrad_f16")))
                        .flops())
                .isEqualTo(2 * 144 * 36);
        // the other one may be called otherwise
        assertThatThrownBy(() -> forward(backward.withKernels(List.of("xmma_wgrad_f16", "winogradForwardData4x4"))))
                .isInstanceOf(NotModelled.class);
        assertThatThrownBy(() -> forward(backward.withKernels(List.of("kernel"))))
                .isInstanceOf(NotModelled.class)
                .hasMessage("which gradients a convolution computes is not recorded");
    }

    @Test
    void lookupsInTablesReadTheirRows() throws NotModelled {
        // 2 tables of 5 rows each, 4 wide in half precision; 3 samples, 7 places
        String dims = "[[0],[40],[0],[0,0],[2],[2],[3],[],[],[3],[],[7],[7],[],[],[],[0],[],[],[],[10],[0]]";
        String half = "'c10::Half'";
        String types =
                "['float'," + half + "," + half + "," + half + ",'int','long','int','Scalar','Scalar','long','Scalar',"
                        + "'long','long','Scalar','','','int','Scalar','Scalar','Scalar','float','float']";
        OpCall call = call("fbgemm::split_embedding_codegen_lookup_rowwise_adagrad_function", dims, types, "[]");

        Work forward = forward(call);
        assertThat(forward.flops()).isEqualTo(28);
        // places and bounds 7 * 8 each, rows 7 * 4 * 2, results 6 * 4 * 4
        assertThat(forward.bytes()).isEqualTo(56 + 56 + 56 + 96);
        // widths of the tables 3 and 5, as recorded: 4 in the mean
        String widths = "['','','','','','','','6','5']";
        assertThat(forward(call("fbgemm::split_embedding_codegen_lookup_adagrad_function", dims, types, widths))
                        .flops())
                .isEqualTo(21);
        OpCall byResult = call("fbgemm::split_embedding_codegen_lookup_adagrad_function", dims, types, "[]");
        OpCall node = call("torch::autograd::CppNode<SplitLookupFunction_adagrad_Op>", "[[3,8]]", "['float']", "[]");
        assertThat(forward(byResult.withGradient(node)).flops()).isEqualTo(28);
        assertThatThrownBy(() -> forward(byResult))
                .isInstanceOf(NotModelled.class)
                .hasMessage("the widths of the tables are not recorded");
    }

    @Test
    void theBackwardOfALookupUpdatesARowForEachPlace() throws NotModelled {
        // as above, and gradients of 3 samples for widths of 3 and 5
        String dims = "[[0],[40],[0],[0,0],[2],[2],[3],[],[],[3],[],[7],[7],[],[],[],[0],[],[],[],[10],[0]]";
        String types = "['float','c10::Half','c10::Half','c10::Half','int','long','int','Scalar','Scalar','long',"
                + "'Scalar','long','long','Scalar','','','int','Scalar','Scalar','Scalar','float','float']";
        OpCall lookup = call("fbgemm::split_embedding_codegen_lookup_rowwise_adagrad_function", dims, types, "[]");
        String node = "torch::autograd::CppNode<SplitLookupFunction_%s_Op>";
        OpCall rowwise = call(node.formatted("rowwise_adagrad"), "[[3,8]]", "['float']", "[]");
        OpCall adagrad = call(node.formatted("adagrad"), "[[3,8]]", "['float']", "[]");
        OpCall sgd = call(node.formatted("sgd"), "[[3,8]]", "['float']", "[]");

        assertThat(forward(rowwise.withForward(lookup)).flops()).isEqualTo(5 * 28);
        // gradients 3 * 8 * 4, places 7 * 8, rows of 4 halves read and written, with their sums of squares
        assertThat(forward(rowwise.withForward(lookup)).bytes()).isEqualTo(96 + 56 + 7 * (16 + 8));
        assertThat(forward(adagrad.withForward(lookup)).flops()).isEqualTo(8 * 28);
        assertThat(forward(adagrad.withForward(lookup)).bytes()).isEqualTo(96 + 56 + 7 * (16 + 32));
        assertThat(forward(sgd.withForward(lookup)).flops()).isEqualTo(3 * 28);
        assertThat(forward(sgd.withForward(lookup)).bytes()).isEqualTo(96 + 56 + 7 * 16);
        assertThatThrownBy(() -> forward(rowwise))
                .isInstanceOf(NotModelled.class)
                .hasMessage("the forward call is not known");
    }

    @Test
    void theBackwardOfADenseLookupWritesTheGradientOfAllWeights() throws NotModelled {
        // 2 tables, together 7 rows of 16; 16 samples, 32 places
        OpCall lookup = call(
                "fbgemm::dense_embedding_codegen_lookup_function",
                "[[112],[2],[3],[],[],[3],[],[32],[33],[],[],[],[]]",
                "['float','long int','int','Scalar','Scalar','long int','Scalar','long int','long"
                        + " int','Scalar','','','Scalar']",
                "['','','','32','16','','','','','0','','','0']");
        OpCall node = call("torch::autograd::CppNode<SplitLookupFunction_Dense_Op>", "[[16,32]]", "['float']", "[]");

        assertThat(forward(lookup).flops()).isEqualTo(512);
        // places 32 * 8, bounds 33 * 8, all 7 rows of 16, results 16 * 32 * 4
        assertThat(forward(lookup).bytes()).isEqualTo(256 + 264 + 448 + 2048);
        assertThat(forward(node.withForward(lookup)).flops()).isEqualTo(512);
        // gradients, places, zeros, rows
        assertThat(forward(node.withForward(lookup)).bytes()).isEqualTo(2048 + 256 + 448 + 448);
    }

    @Test
    void withoutValuesOfArgumentsALayerIsAsWideAsItsWeights() throws NotModelled {
        OpCall old = OpCall.of(
                "aten::layer_norm",
                "[[2,4],[],[4],[4],[],[]]",
                Calls.json("['float','','float','float','Scalar','Scalar']"),
                null,
                null);
        OpCall recorded = call(
                "aten::layer_norm",
                "[[2,4],[],[4],[4],[],[]]",
                "['float','ScalarList','float','float','Scalar','Scalar']",
                "['','[4]','','','1e-05','True']");

        assertThat(forward(old).flops()).isEqualTo(forward(recorded).flops());
        assertThat(forward(old).bytes()).isEqualTo(forward(recorded).bytes());
    }
}
