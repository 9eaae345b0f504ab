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
    // SQLite with a Swift interface. It needs libsqlite3-dev, which `make bench` installs.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Workloads, measurement and results. It does not depend on any engine.
    .target(name: "BenchmarkKit", dependencies: ["ProcessCalls"], swiftSettings: settings),
    // One target per engine, so that the dependencies of one engine do not affect the others.
    .target(
      name: "VarveEngine",
      dependencies: [
        "BenchmarkKit", .product(name: "Varve", package: "varve"),
        .product(name: "VarveJSONLines", package: "varve"),
      ],
      swiftSettings: settings),
    // Loops over LMDB, in C. It does not depend on any other target.
    .target(name: "CRawLMDB", linkerSettings: [.linkedLibrary("lmdb")]),
    .target(
      name: "LMDBEngine", dependencies: ["BenchmarkKit", "CRawLMDB"], swiftSettings: settings),
    .target(name: "FilesEngine", dependencies: ["BenchmarkKit"], swiftSettings: settings),
    .target(
      name: "GRDBEngine",
      dependencies: ["BenchmarkKit", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings),
    // The versions of the linked LMDB and SQLite, for the report.
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
    // The regression guard. It is a separate program, because it counts calls of malloc.
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
