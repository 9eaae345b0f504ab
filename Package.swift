// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Release builds take the macros from a debug build (.ci/build-release), because swift-syntax takes
// ten minutes to optimise and a plugin gains nothing from it. They set this and load the plugin.
let macrosAreGiven = Context.environment["VARVE_MACROS_GIVEN"] != nil

let package = Package(
  name: "varve",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Varve", targets: ["Varve"]),
    .library(name: "VarveJSONLines", targets: ["VarveJSONLines"]),
    .library(name: "VarveTesting", targets: ["VarveTesting"]),
    .executable(name: "varve", targets: ["VarveToolMain"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // Bytes and pages.
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .target(name: "CVarve"),
    .target(name: "VarveEncoding", dependencies: ["CVarve"], swiftSettings: settings),
    .target(name: "VarveStorage", dependencies: ["CLMDB", "CVarve"], swiftSettings: settings),

    // Objects, untyped below and typed above.
    .target(
      name: "VarveCore",
      dependencies: [
        "VarveStorage", "VarveEncoding",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "Varve",
      dependencies: [
        "CVarve", "VarveCore", "VarveEncoding", .product(name: "Logging", package: "swift-log"),
      ] + (macrosAreGiven ? [] : ["VarveMacros"]),
      swiftSettings: settings),

    // Stores as text. Who does not import it has none of it in the program.
    .target(
      name: "VarveJSONLines",
      dependencies: ["Varve", "VarveCore", "VarveStorage", "VarveEncoding"],
      swiftSettings: settings),

    // What users test their programs with.
    .target(name: "VarveTesting", dependencies: ["Varve"], swiftSettings: settings),

    // The command-line tool: a library, because tests can wait for one (SwiftPM does not order
    // executables before the tests of a package with macros), and the program itself.
    .target(
      name: "VarveTool",
      dependencies: [
        "Varve", "VarveJSONLines", "VarveCore", "VarveStorage", "VarveEncoding",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Main"],
      swiftSettings: settings),
    .executableTarget(
      name: "VarveToolMain",
      dependencies: [
        "VarveTool", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/VarveTool/Main",
      swiftSettings: settings),

    // Tests. VarveTestProcess is started by tests as a child process; VarveTestSupport starts it.
    .target(
      name: "VarveTestSupport",
      dependencies: ["VarveTestProcess", "Varve", "VarveCore", "VarveJSONLines"],
      path: "Tests/VarveTestSupport",
      swiftSettings: settings),
    .target(name: "CTestFaults", path: "Tests/CTestFaults"),
    .executableTarget(
      name: "VarveTestProcess",
      dependencies: ["Varve", "VarveCore", "VarveStorage", "CVarve", "CTestFaults"],
      path: "Tests/VarveTestProcess",
      swiftSettings: settings),
    .testTarget(
      name: "VarveEncodingTests", dependencies: ["VarveEncoding", "VarveTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveStorageTests",
      dependencies: ["VarveStorage", "CVarve", "CLMDB", "VarveTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveCoreTests",
      dependencies: ["VarveCore", "VarveStorage", "VarveEncoding", "VarveTestSupport"],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveTests",
      dependencies: [
        "Varve", "VarveJSONLines", "VarveCore", "VarveStorage", "VarveTestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveJSONLinesTests",
      dependencies: [
        "VarveJSONLines", "Varve", "VarveCore", "VarveEncoding", "VarveTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VarveTestingTests", dependencies: ["VarveTesting", "Varve"], swiftSettings: settings),
    // A model file of the Realm Swift SDK, in the language mode that such packages have. It has a warning for each
    // class, which .ci/check-model-file counts.
    .testTarget(
      name: "VarveCompatibilityTests", dependencies: ["Varve"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    .testTarget(
      name: "VarveToolTests",
      dependencies: [
        "VarveTool", "Varve", "VarveJSONLines", "VarveTesting", "VarveCore", "VarveTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

if !macrosAreGiven {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"605.0.0"))
  package.targets += [
    .macro(
      name: "VarveMacros",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VarveMacrosTests",
      dependencies: [
        "VarveMacros",
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: settings),
  ]
}
