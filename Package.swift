// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Release builds load the macro plugin of a debug build and set this variable (.ci/build-release):
// optimizing swift-syntax takes ten minutes and gains nothing.
let macrosAreGiven = Context.environment["VARVE_MACROS_GIVEN"] != nil

// Release builds with this variable contain the faults of the commit protocol that the fault tests
// must find. Debug builds always contain them.
let mutants: SwiftSetting =
  Context.environment["VARVE_MUTANTS"] != nil
  ? .define("VARVE_MUTANTS") : .define("VARVE_MUTANTS", .when(configuration: .debug))

// With this variable the fuzz targets are a program of libFuzzer (.ci/fuzz) instead of tests.
let fuzzes = Context.environment["VARVE_FUZZ"] != nil

let package = Package(
  name: "varve",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Varve", targets: ["Varve"]),
    .library(name: "VarveJSONLines", targets: ["VarveJSONLines"]),
    .library(name: "VarveServer", targets: ["VarveServer"]),
    .library(name: "VarveTesting", targets: ["VarveTesting"]),
    .executable(name: "varve", targets: ["VarveToolMain"]),
  ],
  // SwiftPM fetches the packages that only the trait needs for no one else
  // (Docs/Decisions/0012-server-integration.md).
  traits: [.trait(name: "Server", description: "The product VarveServer")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
  ],
  targets: [
    // Byte formats and page storage.
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .target(name: "CVarve"),
    .target(name: "VarveEncoding", dependencies: ["CVarve"], swiftSettings: settings),
    .target(name: "VarveLocks", dependencies: ["CVarve"], swiftSettings: settings),
    .target(
      name: "VarveStorage", dependencies: ["CLMDB", "CVarve", "VarveLocks"],
      swiftSettings: settings + [mutants]),

    // The object store: VarveCore is untyped, Varve is typed.
    .target(
      name: "VarveCore",
      dependencies: [
        "VarveStorage", "VarveEncoding", "VarveLocks",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "Varve",
      dependencies: [
        "CVarve", "VarveCore", "VarveEncoding", "VarveLocks",
        .product(name: "Logging", package: "swift-log"),
      ] + (macrosAreGiven ? [] : ["VarveMacros"]),
      swiftSettings: settings),

    // Export and import as text. A separate module, so that programs without it stay smaller.
    .target(
      name: "VarveJSONLines",
      dependencies: ["Varve", "VarveCore", "VarveStorage", "VarveEncoding", "VarveLocks"],
      swiftSettings: settings),

    // A service, metrics and spans. Empty without the trait.
    .target(
      name: "VarveServer",
      dependencies: [
        "Varve", "VarveCore",
        .product(name: "Logging", package: "swift-log"),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Server"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Server"])),
      ],
      swiftSettings: settings),

    // Support for the tests of users' programs.
    .target(name: "VarveTesting", dependencies: ["Varve"], swiftSettings: settings),

    // The command-line tool: a library with the commands, and the program. The tests use the
    // library, because SwiftPM does not build executables before the tests of a package with
    // macros.
    .target(
      name: "VarveTool",
      dependencies: [
        "Varve", "VarveJSONLines", "VarveCore", "VarveStorage", "VarveEncoding", "VarveLocks",
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

    // Tests. VarveTestSupport starts VarveTestProcess as a child process.
    .target(
      name: "VarveTestSupport",
      dependencies: ["VarveTestProcess", "Varve", "VarveCore", "VarveJSONLines", "VarveLocks"],
      path: "Tests/VarveTestSupport",
      swiftSettings: settings),
    .target(name: "CTestFaults", path: "Tests/CTestFaults"),
    .executableTarget(
      name: "VarveTestProcess",
      dependencies: [
        "Varve", "VarveJSONLines", "VarveCore", "VarveStorage", "VarveLocks", "CVarve",
        "CTestFaults",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/VarveTestProcess",
      swiftSettings: settings),
    .testTarget(
      name: "VarveEncodingTests", dependencies: ["VarveEncoding", "VarveTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveStorageTests",
      dependencies: [
        "VarveStorage", "VarveLocks", "CVarve", "CLMDB", "CTestFaults", "VarveTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VarveCoreTests",
      dependencies: [
        "VarveCore", "VarveStorage", "VarveEncoding", "VarveLocks", "VarveTestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveTests",
      dependencies: [
        "Varve", "VarveJSONLines", "VarveCore", "VarveStorage", "VarveLocks", "CTestFaults",
        "VarveTestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "VarveJSONLinesTests",
      dependencies: [
        "VarveJSONLines", "Varve", "VarveCore", "VarveEncoding", "VarveLocks", "VarveTestSupport",
      ],
      exclude: ["Releases/Files"], swiftSettings: settings),
    .testTarget(
      name: "VarveFaultTests", dependencies: ["CTestFaults", "VarveTestSupport"],
      path: "Tests/Faults", swiftSettings: settings),
    .testTarget(
      name: "VarveTestingTests", dependencies: ["VarveTesting", "Varve"], swiftSettings: settings),
    // A model file of the Realm Swift SDK, in Swift 5 mode like most such packages. The compiler
    // warns once per class; .ci/check-model-file counts the warnings.
    .testTarget(
      name: "VarveCompatibilityTests", dependencies: ["Varve"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    .testTarget(
      name: "VarveToolTests",
      dependencies: [
        "VarveTool", "Varve", "VarveJSONLines", "VarveTesting", "VarveCore", "VarveLocks",
        "VarveTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Schema/AllTypes.jsonl"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

let fuzzDependencies: [Target.Dependency] = ["VarveEncoding", "VarveCore", "VarveJSONLines"]
package.targets.append(
  fuzzes
    ? .executableTarget(
      name: "VarveFuzz", dependencies: fuzzDependencies, path: "Tests/Fuzz",
      exclude: ["Corpora", "Replay"], swiftSettings: settings)
    : .testTarget(
      name: "VarveFuzzTests", dependencies: fuzzDependencies + ["VarveTestSupport"],
      path: "Tests/Fuzz", exclude: ["Corpora", "Program"], swiftSettings: settings))

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
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: settings),
  ]
}
