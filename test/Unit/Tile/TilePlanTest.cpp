//===- TilePlanTest.cpp - Loops and tiles by tables -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Transforms/Tile/TilePlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace bquant;

namespace {

using Sizes = llvm::SmallVector<int64_t>;

/// Elementwise ops on all of a domain.
RegionShape elementwise(const Sizes &sizes) {
  RegionShape region;
  region.sizes = sizes;
  region.offsets.assign(sizes.size(), 0);
  return region;
}

/// A reduction without a kernel.
RegionShape reduction(const Sizes &sizes, int64_t sums = 1) {
  RegionShape region = elementwise(sizes);
  region.sums = sums;
  return region;
}

/// A product by a kernel whose tile is of 7 rows and 64 channels.
RegionShape product(const Sizes &sizes) {
  RegionShape region = reduction(sizes);
  region.kernelRows = 7;
  region.kernelChannels = 64;
  return region;
}

RegionShape at(const Sizes &offsets, RegionShape region) {
  region.offsets = offsets;
  return region;
}

/// Filters too many for the second cache.
LayerShape layer(std::vector<RegionShape> regions) {
  return {std::move(regions), /*filterBytes=*/1 << 20, /*writtenBytes=*/0};
}

/// The loops, those of the scf.forall first, and for each dimension what is in
/// tiles of a size: "1 | 0 : 49/7+5/5 64/64".
std::string print(const TilePlan &plan, unsigned region = 0) {
  std::string text;
  for (unsigned d : plan.outer)
    text += std::to_string(d) + " ";
  text += "|";
  for (unsigned d : plan.inner)
    text += " " + std::to_string(d);
  text += " :";
  for (llvm::ArrayRef<Segment> segments : plan.segments[region])
    for (auto [i, segment] : llvm::enumerate(segments))
      text += (i == 0 ? " " : "+") +
              std::to_string(segment.end - segment.start) + "/" +
              std::to_string(segment.tile);
  return text;
}

std::string plan(RegionShape region, const TileOptions &options = {}) {
  return print(planTiles(layer({std::move(region)}), options));
}

TEST(TilePlanTest, RowsOfATile) {
  struct {
    RegionShape region;
    const char *plan;
  } cases[] = {
      // As many as the kernel has, or as few as fill tiles evenly.
      {product({1, 54, 54, 64}), "0 3 1 | 2 : 1/1 54/1 49/7+5/5 64/64"},
      {product({1, 12, 12, 64}), "0 3 1 | 2 : 1/1 12/1 12/6 64/64"},
      {product({1, 2, 3, 64}), "0 3 1 | 2 : 1/1 2/1 3/3 64/64"},
      // Of the dimension that fills a tile best.
      {product({1, 14, 3, 64}), "0 3 2 | 1 : 1/1 14/7 3/1 64/64"},
      {product({16, 1, 1, 64}), "3 1 2 | 0 : 12/6+4/4 1/1 1/1 64/64"},
      {product({8, 14, 14, 64}), "0 3 1 | 2 : 8/1 14/1 14/7 64/64"},
      {product({1, 64}), "1 | 0 : 1/1 64/64"},
      {product({100, 64}), "1 | 0 : 98/7+2/2 64/64"},
      // 24 of 32 registers are for sums, of which 32 channels take two.
      {reduction({1, 9, 25, 64}), "0 3 1 | 2 : 1/1 9/1 18/9+7/7 64/32"},
      {reduction({1, 9, 25, 64}, 3), "0 3 1 | 2 : 1/1 9/1 24/4+1/1 64/32"},
      {reduction({1, 9, 25, 64}, 99), "0 3 1 | 2 : 1/1 9/1 25/1 64/32"},
      {reduction({1, 9, 25, 8}), "0 3 1 | 2 : 1/1 9/1 13/13+12/12 8/8"},
      {elementwise({1, 9, 25, 64}), "0 1 2 | 3 : 1/1 9/1 24/4+1/1 64/32"},
      {elementwise({100}), "0 | : 96/32+4/4"},
  };
  for (const auto &[region, expected] : cases)
    EXPECT_EQ(plan(region), expected);
  TileOptions options;
  options.imageRows = true;
  EXPECT_EQ(plan(product({1, 14, 3, 64}), options),
            "0 3 1 | 2 : 1/1 14/1 3/3 64/64");
  RegionShape columns = product({1, 14, 3, 64});
  columns.sharesColumns = true;
  EXPECT_EQ(plan(columns), "0 3 1 | 2 : 1/1 14/1 3/3 64/64");
}

TEST(TilePlanTest, ChannelsOfATile) {
  auto getTile = [](int64_t channels, auto change) {
    RegionShape region = elementwise({4, channels});
    change(region);
    TilePlan plan = planTiles(layer({region}), TileOptions());
    return plan.segments[0][1].front().tile;
  };
  auto block = [&](int64_t channels) {
    return getTile(1000, [&](RegionShape &r) { r.channelBlocks = {channels}; });
  };
  EXPECT_EQ(getTile(1000, [](RegionShape &) {}), 32);
  EXPECT_EQ(getTile(20, [](RegionShape &) {}), 20);
  // Blocks of a tile, or a tile in a block.
  EXPECT_EQ(block(8), 32);
  EXPECT_EQ(block(128), 32);
  EXPECT_EQ(block(12), 24);
  EXPECT_EQ(block(48), 48);
  // What comes first: the kernel, words, vectors, blocks.
  auto all = [](RegionShape &region) {
    region.channelBlocks = {12};
    region.hasChannelVectors = false;
    region.packedChannels = 64;
    region.kernelChannels = 16;
  };
  EXPECT_EQ(getTile(1000, all), 16);
  EXPECT_EQ(getTile(1000,
                    [&](RegionShape &region) {
                      all(region);
                      region.kernelChannels = 0;
                    }),
            64);
  EXPECT_EQ(getTile(1000,
                    [&](RegionShape &region) {
                      all(region);
                      region.kernelChannels = 0;
                      region.packedChannels = 1;
                    }),
            4);
}

TEST(TilePlanTest, BlocksOfChannelsInsideOfPixelsWhereMuchIsWritten) {
  // A tile has 7 of 196 pixels, and reads all filters.
  RegionShape region = product({1, 14, 14, 128});
  auto isInside = [&](int64_t filterBytes, int64_t writtenBytes) {
    TilePlan plan = planTiles({{region}, filterBytes, writtenBytes}, {});
    return llvm::is_contained(plan.inner, 3u);
  };
  EXPECT_TRUE(isInside(1000, 14000));
  EXPECT_FALSE(isInside(1000, 13999));
  // They come from half of the second cache.
  EXPECT_TRUE(isInside(128 << 10, 1 << 30));
  EXPECT_FALSE(isInside((128 << 10) + 1, 1 << 30));
  // Those of a matrix are outside in any case.
  EXPECT_EQ(print(planTiles({{product({196, 128})}, 1, 1 << 30}, {})),
            "1 | 0 : 196/7 128/64");
}

TEST(TilePlanTest, ComputedFiltersGoAroundWhatTheyDoNotDependOn) {
  auto depends = [](const llvm::SmallVector<bool> &dims) {
    RegionShape region = product({8, 14, 14, 128});
    region.computedFilters = {dims};
    return plan(region);
  };
  EXPECT_EQ(depends({false, false, false, true}),
            "3 | 0 1 2 : 8/1 14/1 14/7 128/64");
  EXPECT_EQ(depends({true, false, false, true}),
            "0 3 | 1 2 : 8/1 14/1 14/7 128/64");
  // All rows of a tile share the block.
  EXPECT_EQ(depends({false, false, true, true}),
            "3 2 | 0 1 : 8/1 14/7 14/1 128/64");
}

TEST(TilePlanTest, RegionsShareTheLoopsThatAllHaveWhole) {
  // Border classes: the first row, and the others.
  TilePlan borders =
      planTiles(layer({product({1, 1, 14, 64}),
                       at({0, 1, 0, 0}, product({1, 13, 14, 64}))}),
                {});
  EXPECT_EQ(print(borders, 0), "0 3 | 1 2 : 1/1 1/1 14/7 64/64");
  EXPECT_EQ(print(borders, 1), "0 3 | 1 2 : 1/1 13/1 14/7 64/64");
  // Groups: each has its own channels.
  TilePlan groups =
      planTiles(layer({product({8, 14, 14, 32}),
                       at({0, 0, 0, 32}, product({8, 14, 14, 32}))}),
                {});
  for (unsigned region : {0, 1})
    EXPECT_EQ(print(groups, region), "0 | 1 2 3 : 8/1 14/1 14/7 32/32");
}

TEST(TilePlanTest, ThreadsGetTiles) {
  TileOptions options;
  // Sums without a kernel: fewer rows a tile.
  const char *rows[][2] = {{"1", "14/7"}, {"4", "14/7"}, {"16", "12/3+2/2"}};
  for (auto [threads, expected] : rows) {
    options.threads = std::stoi(threads);
    EXPECT_EQ(plan(reduction({1, 14, 14, 64}), options),
              std::string("0 3 1 | 2 : 1/1 14/1 ") + expected + " 64/32");
  }
  // A kernel keeps its rows; inner loops become parallel. Of 28 tiles at least
  // 8 a thread:
  TilePlan plan = planTiles(layer({product({1, 14, 14, 128})}), options);
  EXPECT_EQ(print(plan), "0 3 1 | 2 : 1/1 14/1 14/7 128/64");
  for (auto [threads, loops] : {std::pair(1, 0), {3, 0}, {4, 1}, {1000, 1}})
    EXPECT_EQ(plan.countParallelInner(0, threads), unsigned(loops)) << threads;
  // One loop after the other: of 2, 4 and 8 tiles.
  plan = planTiles({{product({1, 2, 14, 128})}, 1, 1 << 30}, options);
  EXPECT_EQ(print(plan), "0 1 | 2 3 : 1/1 2/1 14/7 128/64");
  EXPECT_EQ(plan.countParallelInner(0, 1), 2u);
}

TEST(TilePlanTest, TilesCoverAllOnce) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    auto draw = [&](int64_t from, int64_t to) {
      return std::uniform_int_distribution<int64_t>(from, to)(random);
    };
    Sizes sizes(draw(1, 4));
    for (int64_t &size : sizes)
      size = draw(1, 100);
    RegionShape region = std::array{elementwise, product}[draw(0, 1)](sizes);
    int64_t mostRows = region.kernelRows ? region.kernelRows : 4;
    TileOptions options;
    options.threads = draw(1, 8);
    TilePlan plan =
        planTiles({{region}, draw(0, 1 << 18), draw(0, 1 << 18)}, options);
    auto loops = plan.outer;
    llvm::append_range(loops, plan.inner);
    llvm::sort(loops);
    EXPECT_TRUE(llvm::equal(loops, llvm::seq<unsigned>(sizes.size())));
    int64_t rows = 1;
    for (auto [d, segments] : llvm::enumerate(plan.segments[0])) {
      int64_t next = 0;
      for (auto [start, end, tile] : segments) {
        EXPECT_EQ(start, next);
        EXPECT_LT(start, end);
        EXPECT_EQ((end - start) % tile, 0);
        next = end;
      }
      EXPECT_EQ(next, sizes[d]);
      if (d + 1 < sizes.size())
        rows *= segments.front().tile;
    }
    EXPECT_LE(rows, mostRows);
  }
}

TEST(TilePlanTest, RowsAreALoopWhereCountsDoNotFit) {
  // Into 32 registers of 16 lanes.
  TileOptions options;
  EXPECT_FALSE(rollsRows(/*counts=*/1, /*rows=*/8, /*channels=*/64, options));
  EXPECT_TRUE(rollsRows(1, 9, 64, options));
  EXPECT_TRUE(rollsRows(2, 8, 64, options));
  EXPECT_FALSE(rollsRows(9, 1, 64, options));
  EXPECT_FALSE(rollsRows(0, 9, 64, options));
}

} // namespace
