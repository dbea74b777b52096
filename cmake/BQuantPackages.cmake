# What `./dev package` makes of what is installed: two Debian packages and one
# archive of everything.
#
#   bquant       the tools and the C library
#   bquant-dev   headers, archives, the CMake package and the plugin of mlir-opt
set(CPACK_PACKAGE_NAME bquant)
set(CPACK_PACKAGE_VENDOR "The bquant authors")
set(CPACK_PACKAGE_CONTACT "The bquant authors <maintainers@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "MLIR compiler for scaled-binary neural networks")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${PROJECT_SOURCE_DIR}/cmake/description.txt)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR "DEB;TXZ")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/dist)
set(CPACK_ARCHIVE_FILE_NAME bquant-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_ARCHIVE_THREADS 0)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL runtime tools doc dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # libmlir-22, libc6, ...

set(CPACK_DEBIAN_BQUANT_PACKAGE_NAME bquant)
set(CPACK_DEBIAN_BQUANT_PACKAGE_SECTION devel)
# dpkg-shlibdeps meets it by a link of llvm-22-dev, for which it knows no package.
set(CPACK_DEBIAN_BQUANT_PACKAGE_DEPENDS "libllvm${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_BQUANT_PACKAGE_RECOMMENDS "libomp5-19")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME bquant-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# What MLIR's and LLVM's CMake packages look for comes with them.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "bquant (= ${PROJECT_VERSION}), libmlir-22-dev, mlir-22-tools, llvm-22-dev, liblld-22-dev, zlib1g-dev, libzstd-dev, libxml2-dev")

include(CPack)
cpack_add_component_group(bquant DESCRIPTION
  "Its tools and its C library: a network whose products run on one to a few bits becomes native code.")
cpack_add_component_group(dev DESCRIPTION
  "Its headers, archives, CMake package and the plugin of mlir-opt, for other compilers.")
cpack_add_component(runtime GROUP bquant)
cpack_add_component(tools GROUP bquant)
cpack_add_component(doc GROUP bquant)
cpack_add_component(dev GROUP dev)
