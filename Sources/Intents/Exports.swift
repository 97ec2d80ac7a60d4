// Programs import Intents for what activities say to it, and that is in CoreSpotlight here.
@_exported public import CoreSpotlight
