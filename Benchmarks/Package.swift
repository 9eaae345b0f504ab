// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "varve-bench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "varve-bench", targets: ["VarveBench"]),
    .executable(name: "varve-operations", targets: ["VarveOperations"]),
  ],
  dependencies: [
    .package(name: "varve", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // SQLite as Swift uses it; needs libsqlite3-dev, which “make bench” installs.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Workloads, measurement and results; knows no engine.
    .target(name: "BenchmarkKit", dependencies: ["ProcessCalls"], swiftSettings: settings),
    // One target an engine, so that what one needs reaches no other.
    .target(
      name: "VarveEngine",
      dependencies: [
        "BenchmarkKit", .product(name: "Varve", package: "varve"),
        .product(name: "VarveJSONLines", package: "varve"),
      ],
      swiftSettings: settings),
    // LMDB itself, in C; knows nothing of the rest.
    .target(name: "CRawLMDB", linkerSettings: [.linkedLibrary("lmdb")]),
    .target(
      name: "LMDBEngine", dependencies: ["BenchmarkKit", "CRawLMDB"], swiftSettings: settings),
    .target(name: "FilesEngine", dependencies: ["BenchmarkKit"], swiftSettings: settings),
    .target(
      name: "GRDBEngine",
      dependencies: ["BenchmarkKit", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings),
    // Which LMDB and which SQLite are measured; for the report.
    .target(
      name: "LibraryVersions",
      linkerSettings: [.linkedLibrary("lmdb"), .linkedLibrary("sqlite3")]),
    .target(name: "ProcessCalls"),
    .executableTarget(
      name: "VarveBench",
      dependencies: [
        "BenchmarkKit", "VarveEngine", "LMDBEngine", "GRDBEngine", "FilesEngine", "LibraryVersions",
        "ProcessCalls",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // The guard against regressions: a program of its own, because it has malloc counted.
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "VarveOperations",
      dependencies: [
        "AllocationCounter", .product(name: "Varve", package: "varve"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
