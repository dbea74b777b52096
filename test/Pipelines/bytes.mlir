// Products of codes, down to the machine: what auto takes on each target, and
// that each intrinsic is one instruction.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=cascadelake --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VNNI512 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=alderlake --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VNNI256 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX2 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v2 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=SSSE3 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX512 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-v1 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=I8MM --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=cortex-a72 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NODOT --input-file=%t.s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels \
// RUN:   --convert-bquant-to-packed --canonicalize | FileCheck %s --check-prefix=WORDS

// Nibbles of the filter come out by a shift and an and.
//
// VNNI512-LABEL: four_by_four
// VNNI512: vpdpbusd{{[[:space:]]}}{{.*}}%zmm
// VNNI256-LABEL: four_by_four
// VNNI256: {vex}{{[[:space:]]}}vpdpbusd{{[[:space:]]}}{{.*}}%ymm
// AVX2-LABEL: four_by_four
// AVX2: vpsrld{{[[:space:]]}}$3, %ymm
// AVX2: vpand{{[[:space:]]}}{{.*}}%ymm
// AVX2: vpmaddubsw{{[[:space:]]}}{{.*}}%ymm
// AVX2: vpmaddwd{{[[:space:]]}}{{.*}}%ymm
// SSSE3-LABEL: four_by_four
// SSSE3: pmaddubsw{{[[:space:]]}}{{.*}}%xmm
// AVX512-LABEL: four_by_four
// AVX512: vpmaddubsw{{[[:space:]]}}{{.*}}%zmm
// NEON-LABEL: four_by_four
// NEON: ld1r{{[[:space:]]+}}{ v{{[0-9]+}}.4s }
// NEON: sdot{{[[:space:]]}}v{{[0-9]+}}.4s
// NODOT-LABEL: four_by_four
// NODOT: ld1r{{[[:space:]]+}}{ v{{[0-9]+}}.4s }
// NODOT: smull{{[[:space:]]}}v[[P:[0-9]+]].8h
// NODOT-NEXT: sadalp{{[[:space:]]}}v{{[0-9]+}}.4s, v[[P]].8h
// NODOT: smull2{{[[:space:]]}}v{{[0-9]+}}.8h
// NODOT: addp{{[[:space:]]}}v{{[0-9]+}}.4s

// WORDS-LABEL: func.func @four_by_four
// WORDS: %[[CODES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x64xi8, #codes>)
// WORDS-NOT: bquant_packed.pack
// WORDS: bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>) ins(%[[CODES]] : tensor<6x64xi8, #codes>) filters(%{{.*}} : tensor<4x16x16xi32, #{{[a-z0-9_]+}}>)
func.func @four_by_four(%x: tensor<6x64xf32>) -> tensor<6x64xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x64xf32> -> !bquant.tensor<6x64, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x64x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x64, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x64, [8, 4, 2, 1]>, !bquant.tensor<64x64, [8, 4, 2, 1]>) -> tensor<6x64xf32>
  return %0 : tensor<6x64xf32>
}

// Of 8 bits on both sides sums of two products do not fit 16 bits: widened.
// AVX2-LABEL: eight_by_eight
// AVX2-NOT: vpmaddubsw
// AVX2: vpmaddwd{{[[:space:]]}}{{.*}}%ymm
// SSSE3-LABEL: eight_by_eight
// SSSE3-NOT: pmaddubsw
// SSSE3: pmaddwd{{[[:space:]]}}{{.*}}%xmm
// AVX512-LABEL: eight_by_eight
// AVX512-NOT: vpmaddubsw
// AVX512: vpmaddwd{{[[:space:]]}}{{.*}}%zmm
// WORDS-LABEL: func.func @eight_by_eight
// WORDS: bquant_packed.product kernel(#bquant_packed.bytes<rows = 4, channels = 16, bits = 256, summed = 1>)
func.func @eight_by_eight(%x: tensor<6x64xf32>) -> tensor<6x64xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x64xf32> -> !bquant.tensor<6x64, [128, 64, 32, 16, 8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<8x64x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x64, [128, 64, 32, 16, 8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x64, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<64x64, [128, 64, 32, 16, 8, 4, 2, 1]>) -> tensor<6x64xf32>
  return %0 : tensor<6x64xf32>
}

// Of one row the codes of two steps are taken apart in the loop: half of the
// words, and no store before.
// AVX2-LABEL: one_row
// AVX2: vp{{add|sub}}b{{[[:space:]]}}{{.*}}%ymm
// AVX2: vpmaddubsw{{[[:space:]]}}{{.*}}%ymm
// VNNI512-LABEL: one_row
// VNNI512: vp{{add|sub}}b{{[[:space:]]}}{{.*}}%zmm
// VNNI512: vpdpbusd{{[[:space:]]}}{{.*}}%zmm
// NEON-LABEL: one_row
// NEON: sdot{{[[:space:]]}}v{{[0-9]+}}.4s
// WORDS-LABEL: func.func @one_row
// WORDS: bquant_packed.product kernel(#bquant_packed.bytes<rows = 1, channels = 16, bits = 256, summed = 2, held = 72, levels = 15>) {{.*}} filters(%{{.*}} : tensor<4x8x16xi32, #{{[a-z0-9_]+}}>)
func.func @one_row(%x: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x64xf32> -> !bquant.tensor<1x64, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x64x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x64, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x64, [8, 4, 2, 1]>, !bquant.tensor<64x64, [8, 4, 2, 1]>) -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}

// Weights of seven bits: two words, and what brings their sums to 16 bits, before
// these are widened. Each word of the input comes from memory to all lanes. Where two
// rows are multiplied at once, a register has eight codes of each.
// AVX2-LABEL: seven_bits
// AVX2: vpbroadcastd{{[[:space:]]}}{{[-0-9]*}}(%{{.*}}), %ymm
// AVX2: vpmaddubsw{{[[:space:]]}}{{.*}}, %ymm[[S:[0-9]+]]
// AVX2: vpaddw{{[[:space:]]}}%ymm{{[0-9]+}}, %ymm[[S]], %ymm[[S]]
// AVX2: vpaddw{{[[:space:]]}}%ymm{{[0-9]+}}, %ymm[[S]], %ymm[[S]]
// AVX2: vpmaddwd{{[[:space:]]}}%ymm{{[0-9]+}}, %ymm[[S]], %ymm[[S]]
// AVX2: vpaddd{{[[:space:]]}}
// I8MM-LABEL: seven_bits
// I8MM: ldr{{[[:space:]]}}d[[X:[0-9]+]], [x{{.*}}]
// I8MM: mov{{[[:space:]]}}v[[X]].d[1], v{{[0-9]+}}.d[0]
// I8MM: usmmla{{[[:space:]]}}v{{[0-9]+}}.4s, v[[X]].16b, v{{[0-9]+}}.16b
// I8MM: zip2{{[[:space:]]}}v{{[0-9]+}}.2d
// SSSE3-LABEL: seven_bits
// SSSE3: pmaddubsw
// SSSE3: paddw
// SSSE3: paddw
// SSSE3: pmaddwd
func.func @seven_bits(%x: tensor<8x64xi8>) -> tensor<8x32xi32> {
  %w = arith.constant dense<"0x011BC737FFCDE8DC1F38FF21DAFFC3F72807EE23E8D2E331E0E1C0C1F5F7EAEA0A10F2F4EEF2220CC51C2AEAE503D0140DC016D00F1A0E3B10EF3B38EDCE01C51B27C42B1D20C233CBEEF2DEFE36181A0036DB1E0BC92ED7F5171CE51706D70F110EEDD4E60F3BE9CCD427C8FC1800342BE5CEC83E15F5E1E129DBEB2F1FE6CF2B0BE434EB343C113A060A3827E5DC20ED3F16EED63D051CD01BC80E1D073C030B17EDC23900130636091B1906182819EC331D15E4EAF21C3A08D42AEB2B0D05C7F2E830EEF8EECA38F9EACDE2DC11EE3BF1C92A371921D2F4FC1FC019270728DD1FC90DD80B160B1AE12B281E37E4E8213AF2E2D719C021DB13E413202D2EF93E0A3A2122E8020D3F002AC5110E3D09E43AC6DF31FE0BCAE224C33A06FE39C9FE3D04E7090B3E39DEC4E00C08160BC636191CE1C9C00034DBF0C32D2D3B223924F20B37D00DC02E09380FE4EA3A3F14E72CCCD1FA04D5D0C6152DD1273CCCDFDFF8DCE20A30E6EEEF29E9D1F6CBDB21D207CEDE26E2C22ED7103D3D1A1FCEE30BE60AF803D0FC0108E2FC1F3423EDE1C417D5C9D7DF34FD23363A12DBC722CDE62DF9DDD53DF6E3201AFC0A15192220E21B0B2E1CC9F7EE25D0D8C9C8EFF3F2CA3D3B19C02D380C2D123736D9F1E7E8D21F2238E601DC07E909FCC83BC8181E10CFC53438E7DE130A34FDE9C8F3C6FBD4261D0FEF371C08D137E9FDECF5CB2E05C136CF3329EBCBC819D8D2FC3DD738CDFECC3F25CFCC0128320ECDC9F1ED27F0FBD510DBD6E9D3F6C4301B3C2C20E1C30E32F9DDE30F3BD6032710E1E1D438FED52DFE06CF3EFFCCF3091FD9D22B1021C009E1C731E4C4CC2D04DB21E112D00EEBE3033F1209C8D0C7C7DFCCE11B2F02C4FB2DE01CF3141BC3E9E9D804EBE4322F2DDE151132FA362FEB31CCE9393DC0DAE02BCDF5C0C8FC3B1A2436F7F306F30D1BFD1D1AFFCF3E2619E4E4FD3D21C9D8EB25D908F3123A38D7F220C2DAEF23C511C60F22392633CFE52A1CC5F40809D3C6D61B290EC306FCD2C9D60C19F53BD7DEFD172C24C02320EDF5122212DB1FFFD9F60B0E04D3EAD329EFF9D0282AFB2C3BFE0D2B07D514EF2BC7E6DD0BEF2FF013DA14D3CF3CE3D211F03722FA3AD9C0F1E8DCD715E61EDA3012EEDA1DDAD0F2F4121FEC35D5FE273720C1DE1FE1C03E2117D23D0BC4DD3A1AF21721E40A3FD6DC0B2816D02ECCF82BFC05D2E505D83A2EEE22FED7331BE1D5C1E41CC4C5003522D4CDF7F131C338D50738C5CDE8242FC9F7C62B292E20C3EA16E50DF02CD31EF7242BF005E3381D09C0DFEB35D3D221C928E6F2C43E1135E237FCD31DC7C3EF2DD504E11F15F6E60BD708DCDB261F0D1E3A31FDE303C4C322E2FC3BCEC2C3F62BFBFC0ECEFDC92218C50C3033DADF1E0623200DEAD332CEF623D90C1F28E33419D03EC0F534CACFD6DD17E41F1703063BE4DF0300C60023EAFE0330EDE3CD1ADFC234CB3ECAC629DE2931F8DCD0D7CAD1350DD105DE270E02340C0CC0123F3721E7F70310F435D6E61AD42C3025ECF2E33DEB3218C4E52F043EF7FDEB2B00100BDBF2022C1B033CD6DDDC16D8DA08EDCC22EC1502D92814D80FD00A162928D0D00DD1EECAD828DA362AD2F92BC60ADB121CD33721DAEBFEDDD8D5212FDD050E342DCAF5E221EEF113D2E30ECD370E310108EA01343827D9E2F335DA31FBE2FFEAD6320136E93BDA0C001BCDDFF4C6163B3D0815CE09E22B0B2A1EE00AF1C8C03CE80F2A082B361713C3E83EC03B371FCBFAC03ADEF3EBEBFC26DA222AFA06C2F4FCD11F2F0EF9D81F31CF02C0E52CCE36C3F0F0DBEC3530383A0AD3C637F4C531F3D017F3D91ED6ECF825C0C82DCE0CF02324EADD22F0F7E12733E528C60634F304D7FB2C2A31F0F31300CBF1E91DD82E1CE409EEC1E62CDAC13713D43CE61EC1CE1E3A03331429EB242D30C4FA3A0BDBD23BF8D510D8D41328EC1219CA0FDFD5D5CA3C38F7310DE62C0733D2FE0AD70DD2200A29D8E8182CD617F51BDA3613D93F13C933CEFA090F033518D73329F2272DDFE1D03012C90E1D2BDBECC232E40ECADBCCD1D40B0A082EFBC82E340BE915253736C9ED1D3911D6DC30051E17DD23263303E1E5351B07EEEC29C2261001F1E72F34DE0920C9F1F127FE3FC6DD0ED9161618E9C3CBF23FC80539F4CBF91410F81E34C4C8DFF1DB0FDEFFD0DC19160129EB050ED024ECFD3DC20E38FBCEF722D8083CC902C035E5DED4FF111EFD3CC1C012241A1104F70B33E6C2F2FAC10DD6FAFCF422F708E3F4EBDE3CF8300E01D4EF37D81839C30DC3EAE80F21073816E2F132F1DAC53FEE0BC7F205E9062605D41A0FDCFEC5FA07203101D13A253CE6273ACF25CBF30214EC1E2EE922FBCF08FA2A3D3AED373B3D31FDFC12F8E5D5DF3237C2E5C33CE3DCCBD02D30EFDEC5152F16F9E93E3E12CC11C23FCAF4F000070CFAFD31D13F3AFB142A02F71D2FC010DEE6FC1009FC1AFF0BDA3A00DE04CBE4DAD9300CE5F81113EFCB2E2C22C0DD0224D6D8C1100E37E3E61D0D07D52F2DC1343A0F39D90ED3FE2CDCDAFC23F1391DF3E5C7C6DE2729C23716FB103E02F5FA3C3B00D104D50A2ECB37CDECCCFB2CE6F519FCD02DEEF9323DE231E91C3BDD370CD236121CFED2071F0EC9181F18EBF921291F042B29F8EEC717CBD8F22D39DD2DF11EF825DCC92010FA19E82915070F3E13EBFBCB3513F8D63F1B0CD60DE5143CEA39F2243005C6F1DB2AE8C51401C6C51B2FDDF8EF1109F425E9E33B09253412031014C8082538FC03D3DBD5DA28DB1CE23F2BC9381F1201DFF1DD3FE1D11908E0FBCD23DCE132D3F730D305C0D9F5FA2F3F0DDCFAE33C1E3FC4E32804E2C823C92AEB1B353A3D2BFA1319392DDEC6C5F132E3141329D4160523D3DFD3"> : tensor<64x32xi8>
  %zero = arith.constant dense<0> : tensor<8x32xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x64xi8>, tensor<64x32xi8>) outs(%zero : tensor<8x32xi32>) -> tensor<8x32xi32>
  return %0 : tensor<8x32xi32>
}
