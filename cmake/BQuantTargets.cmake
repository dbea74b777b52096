# How every library and tool of the project is built: plain CMake targets that
# link the shared libMLIR and libLLVM. An archive MLIRxyz next to them would put
# a second copy of MLIR into the process: with BQUANT_STATIC_LLVM there are
# archives alone, inside of libBQuantC, which is all that links them.

add_library(bquant_options INTERFACE)
target_include_directories(bquant_options SYSTEM INTERFACE
  $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(bquant_options INTERFACE ${LLVM_DEFINITIONS_LIST})
target_compile_options(bquant_options INTERFACE
  -fno-exceptions -fvisibility-inlines-hidden -Wall -Wextra -Wno-unused-parameter)
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(bquant_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
if(BQUANT_ASSERTIONS)
  target_compile_options(bquant_options INTERFACE -UNDEBUG)
endif()
if(BQUANT_STATIC_LLVM) # what nothing calls is left out of libBQuantC
  target_compile_options(bquant_options INTERFACE -ffunction-sections -fdata-sections)
endif()
if(BQUANT_COVERAGE)
  target_compile_options(bquant_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(bquant_options INTERFACE -fprofile-instr-generate)
endif()
if(BQUANT_SANITIZE)
  target_compile_options(bquant_options INTERFACE -fsanitize=${BQUANT_SANITIZE}
    -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(bquant_options INTERFACE -fsanitize=${BQUANT_SANITIZE})
endif()

# One precompiled header for all that includes MLIR.
if(BQUANT_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/bquant_pch.cpp "")
  add_library(bquant_pch STATIC ${PROJECT_BINARY_DIR}/bquant_pch.cpp)
  target_link_libraries(bquant_pch PRIVATE bquant_options)
  # Without the time of each header in it, equal sources give an equal header,
  # and ccache knows what includes it.
  target_compile_options(bquant_pch PUBLIC
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-fpch-instantiate-templates -Xclang -fno-pch-timestamp>")
  target_precompile_headers(bquant_pch PRIVATE ${PROJECT_SOURCE_DIR}/lib/pch.h)
endif()
function(bquant_use_pch name)
  if(BQUANT_PCH)
    target_precompile_headers(${name} REUSE_FROM bquant_pch)
    target_compile_options(${name} PRIVATE -fPIC) # as the header; not -fPIE
  endif()
endfunction()

# lib/layers.txt: which folders there are, in which order, and which of them the
# sources of each may include. Another order of the edges is an error of CMake's:
# a library that is linked must be there already.
file(STRINGS ${PROJECT_SOURCE_DIR}/lib/layers.txt BQUANT_LAYERS REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/lib/layers.txt)

# The libraries of the folders that the folder may include.
function(bquant_get_layers folder result)
  set(libraries)
  foreach(line IN LISTS BQUANT_LAYERS)
    if(NOT line MATCHES "^([^:]+):(.*)$" OR NOT CMAKE_MATCH_1 STREQUAL folder)
      continue()
    endif()
    separate_arguments(below UNIX_COMMAND "${CMAKE_MATCH_2}")
    foreach(one IN LISTS below)
      get_property(library GLOBAL PROPERTY "BQUANT_LIBRARY_OF_${one}")
      list(APPEND libraries ${library}) # Nothing of a folder of headers alone.
    endforeach()
    set(${result} ${libraries} PARENT_SCOPE)
    return()
  endforeach()
  message(FATAL_ERROR "expected a line '${folder}: ...' in lib/layers.txt")
endfunction()

# bquant_add_library(name SRCS ... [LINK libs that layers.txt does not name] [NO_MLIR])
#
# The library of the current folder below lib/. It links those of the folders
# that lib/layers.txt lets it include.
function(bquant_add_library name)
  cmake_parse_arguments(A "NO_MLIR" "" "SRCS;LINK" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/lib ${CMAKE_CURRENT_SOURCE_DIR})
  if(folder STREQUAL "")
    set(folder .)
  endif()
  bquant_get_layers(${folder} layers)
  set_property(GLOBAL PROPERTY "BQUANT_LIBRARY_OF_${folder}" ${name})
  add_library(${name} STATIC ${A_SRCS})
  add_library(BQuant::${name} ALIAS ${name})
  target_include_directories(${name}
    PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE
      ${PROJECT_SOURCE_DIR}/lib)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_link_libraries(${name}
    PRIVATE $<BUILD_INTERFACE:bquant_options> PUBLIC ${layers} ${A_LINK})
  if(NOT A_NO_MLIR)
    add_dependencies(${name} BQuantHeaders)
    if(NOT BQUANT_STATIC_LLVM)
      target_link_libraries(${name} PUBLIC MLIR LLVM)
    endif()
    # Consumers need MLIR's headers too; the imported MLIR target carries none.
    target_include_directories(${name} SYSTEM INTERFACE
      $<INSTALL_INTERFACE:${MLIR_INCLUDE_DIRS}>)
    bquant_use_pch(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY BQUANT_LIBRARIES ${name})
  install(TARGETS ${name} EXPORT BQuantTargets COMPONENT dev
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# bquant_add_tool(name SRCS ... [LINK libs] [NO_MLIR])
function(bquant_add_tool name)
  cmake_parse_arguments(A "NO_MLIR" "" "SRCS;LINK" ${ARGN})
  add_executable(${name} ${A_SRCS})
  target_link_libraries(${name} PRIVATE bquant_options ${A_LINK})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib) # private headers
  if(NOT A_NO_MLIR)
    bquant_use_pch(${name})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LLVM_LIBRARY_DIR}")
  set_property(GLOBAL APPEND PROPERTY BQUANT_TOOLS ${name})
  install(TARGETS ${name} COMPONENT tools DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# bquant_link_static_llvm(name)
#
# Links Debian's archives of MLIR, LLVM and lld into a shared library: what it
# calls of them, and no more. By their files, since CMake's targets of them have
# the shared libLLVM among what they link.
function(bquant_link_static_llvm name)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  set(missing)
  foreach(archive liblldELF.a liblldCommon.a libMLIRIR.a libLLVMSupport.a)
    if(NOT EXISTS ${LLVM_LIBRARY_DIR}/${archive})
      list(APPEND missing ${archive})
    endif()
  endforeach()
  find_library(zlib libz.a)
  find_library(zstd libzstd.a)
  if(missing OR NOT zlib OR NOT zstd)
    message(FATAL_ERROR "expected the archives of LLVM, MLIR and lld in ${LLVM_LIBRARY_DIR}, libz.a "
      "and libzstd.a for BQUANT_STATIC_LLVM, but got no ${missing} ${zlib} ${zstd} (Debian: apt "
      "install libmlir-22-dev llvm-22-dev liblld-22-dev zlib1g-dev libzstd-dev)")
  endif()
  target_link_libraries(${name} PRIVATE ${archives}
    ${LLVM_LIBRARY_DIR}/liblldELF.a ${LLVM_LIBRARY_DIR}/liblldCommon.a ${zlib} ${zstd} m)
  # lld takes archives in any order. libgcc stays shared: what it would bring in
  # asks for a later glibc. What runs at the start lies together, in .text.startup
  # and by the script; templates that all of LLVM's targets have lie with this
  # machine's, which is asked for first.
  set(script ${PROJECT_SOURCE_DIR}/cmake/options.lds)
  target_link_options(${name} PRIVATE -fuse-ld=lld -static-libstdc++ -Wl,--gc-sections
    -Wl,-z,keep-text-section-prefix -Wl,-T,${script} -Wl,-u,LLVMInitialize${LLVM_NATIVE_ARCH}Target
    -Wl,-z,relro -Wl,-z,now -Wl,--build-id=sha1)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()
