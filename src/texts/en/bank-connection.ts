/** The pages of connecting a bank, and the sandbox bank's, in English. Names in braces are filled in. */
export const bankConnection = {
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
