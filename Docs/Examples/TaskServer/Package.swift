// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "task-server",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "task-server", targets: ["TaskServer"])],
  traits: [.trait(name: "DueDates", description: "The next version of the server")],
  dependencies: [
    .package(name: "varve", path: "../../..", traits: ["Server"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.25.0"),
  ],
  targets: [
    .executableTarget(
      name: "TaskServer",
      dependencies: [
        .product(name: "Varve", package: "varve"),
        .product(name: "VarveServer", package: "varve"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    // The program of the tutorial “A server in fifteen minutes”.
    .executableTarget(
      name: "Quickstart",
      dependencies: [
        .product(name: "Varve", package: "varve"),
        .product(name: "VarveServer", package: "varve"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "TaskServerTests",
      dependencies: [
        "TaskServer", .product(name: "Varve", package: "varve"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
