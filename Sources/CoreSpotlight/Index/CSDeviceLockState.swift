/// Whether a person has unlocked the device, which decides what protected items can be read.
///
/// Linux has no such state: programs that model one set it.
public enum CSDeviceLockState: Sendable, CaseIterable {
  /// Nobody unlocked it since it was started.
  case beforeFirstUnlock
  /// It was unlocked and is locked now.
  case locked
  /// It is unlocked.
  case unlocked

  func canRead(_ protection: FileProtectionType) -> Bool {
    switch self {
    case .unlocked: true
    case .locked: protection == .none || protection == .completeUntilFirstUserAuthentication
    case .beforeFirstUnlock: protection == .none
    }
  }
}

extension CSSearchableIndex {
  /// Whether the device is unlocked, as far as this application's indexes know; at first it is.
  public class var deviceLockState: CSDeviceLockState {
    get { IndexStore.current.lockState }
    set { IndexStore.current.lockState = newValue }
  }
}
