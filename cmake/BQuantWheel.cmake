# What a wheel with LLVM inside has next to the extension and libBQuantC: the
# OpenMP runtime of Debian's LLVM, and the licences of all that is linked in, as
# the packages that it came from have them.

# The package's own name: what a system has as libomp.so.5 may be a link.
find_library(BQUANT_LIBOMP libomp.so.5 HINTS ${LLVM_LIBRARY_DIR})
if(BQUANT_LIBOMP)
  file(REAL_PATH ${BQUANT_LIBOMP} libomp)
  install(FILES ${libomp} RENAME libomp.so.5 DESTINATION bquant COMPONENT python)
endif()

# What is published has to carry them; a wheel for the machine that builds it may
# be made where they are not.
set(without_licence WARNING)
if(BQUANT_PYTHONS)
  set(without_licence FATAL_ERROR)
endif()
function(bquant_install_licence name file)
  if(NOT EXISTS ${file})
    message(${without_licence} "expected the licence of ${name} as ${file}, but got no such file")
    return()
  endif()
  install(FILES ${file} RENAME ${name}.txt COMPONENT python
          DESTINATION ${SKBUILD_METADATA_DIR}/licenses/third-party)
endfunction()

bquant_install_licence(llvm ${CMAKE_SYSROOT}/usr/share/doc/liblld-22-dev/copyright)
bquant_install_licence(libomp ${CMAKE_SYSROOT}/usr/share/doc/libomp5-19/copyright)
bquant_install_licence(zlib ${CMAKE_SYSROOT}/usr/share/doc/zlib1g-dev/copyright)
bquant_install_licence(zstd ${CMAKE_SYSROOT}/usr/share/doc/libzstd-dev/copyright)
# libstdc++: the GPL with the Runtime Library Exception.
bquant_install_licence(gcc ${CMAKE_SYSROOT}/usr/share/doc/gcc-12-base/copyright)
# What these refer to.
bquant_install_licence(Apache-2.0 ${CMAKE_SYSROOT}/usr/share/common-licenses/Apache-2.0)
bquant_install_licence(GPL-3 ${CMAKE_SYSROOT}/usr/share/common-licenses/GPL-3)

# The headers of the extension: nanobind's, and a map within it whose licence
# opens its source.
get_filename_component(site_packages ${nanobind_DIR}/../.. ABSOLUTE)
file(GLOB nanobind_licence ${site_packages}/nanobind-*.dist-info/licenses/LICENSE)
bquant_install_licence(nanobind "${nanobind_licence}")
set(robin_map ${nanobind_DIR}/../ext/robin_map/include/tsl/robin_map.h)
if(EXISTS ${robin_map})
  file(READ ${robin_map} text LIMIT 4096)
  string(FIND "${text}" "*/" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/robin_map.txt "${text}\n")
endif()
bquant_install_licence(robin_map ${CMAKE_CURRENT_BINARY_DIR}/robin_map.txt)
