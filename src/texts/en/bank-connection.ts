/** The pages of connecting a bank, and the sandbox bank's, in English. Names in braces are filled in. */
export const bankConnection = {
  "confirm.title": "Share an account with {partner}?",
  "confirm.text":
    "You are about to connect a bank account for a customer of {partner}. {partner}'s service will see its payments.",
  "confirm.customer": "The customer: {customer}",
  "confirm.warning":
    "Continue only if you began this at {partner} yourself. If somebody sent you this page, close it: that person would get to see your payments.",
  "confirm.submit": "Yes, I began this myself",
  "confirm.refuse": "No, connect nothing",
  "choose.for": "For a customer of {partner}.",
  "choose.title": "Connect your bank",
  "choose.text":
    "Choose the bank whose accounts you want to connect. You sign in and agree at the bank itself; we never see your password.",
  "choose.submit": "Continue to the bank",
  "choose.none": "No bank can be connected at the moment.",
  "choose.legend": "Bank",
  abort: "Cancel",
  "end.SUCCESS.title": "Your bank is connected",
  "end.SUCCESS.text": "Your payments are being fetched. You can close this window.",
  "end.ABORTED.title": "Nothing was connected",
  "end.ABORTED.text": "You stopped before the end. You can close this window.",
  "end.UNKNOWN.title": "That did not work",
  "end.UNKNOWN.text": "The bank could not be connected. Please try again later. You can close this window.",
  "elsewhere.title": "Go back to your first browser",
  "elsewhere.text":
    "The bank is being connected in another browser or app, and nothing was done here. Go back there and continue. If you have no other page open, allow cookies for this one, or begin again in the app or page that you came from.",
  "gone.title": "This page is no longer valid",
  "gone.text": "Go back to your bank's app or page and start again.",
  "sandbox.title": "Sandbox Bank",
  "sandbox.note": "A bank to try things with. Nobody's real money is here.",
  "sandbox.person": "Who are you?",
  "sandbox.signIn": "Sign in",
  "sandbox.accounts": "Which accounts do you want to share?",
  "sandbox.purpose":
    "Names, balances and payments of the chosen accounts are shared until {date}. You can end this at any time.",
  "sandbox.approve": "Agree and go back",
  "sandbox.refuse": "Refuse",
  "sandbox.fail": "Let the bank fail",
  "sandbox.noAccount": "Choose one account at least.",
};
