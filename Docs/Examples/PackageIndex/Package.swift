// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "package-index",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "package-index", targets: ["PackageIndexDemo"])],
  dependencies: [
    .package(name: "varve", path: "../../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "PackageIndexDemo",
      dependencies: [
        .product(name: "Varve", package: "varve"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("Sample")]),
    .testTarget(name: "PackageIndexDemoTests", dependencies: ["PackageIndexDemo"]),
  ],
  swiftLanguageModes: [.v6]
)
