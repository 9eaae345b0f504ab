// swift-tools-version: 6.3

import PackageDescription

// The tests of VarveServer, in a package of their own: it depends on Varve with the trait, which the
// package of Varve has no reason to build.
let package = Package(
  name: "varve-server-tests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "varve", path: "../..", traits: ["Server"]),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
  ],
  targets: [
    .testTarget(
      name: "VarveServerTests",
      dependencies: [
        .product(name: "Varve", package: "varve"),
        .product(name: "VarveServer", package: "varve"),
        .product(name: "VarveTesting", package: "varve"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "VarveServerTests")
  ],
  swiftLanguageModes: [.v6]
)
