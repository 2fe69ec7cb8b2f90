/** The pages of connecting a bank, and the sandbox bank's, in Swedish. Names in braces are filled in. */
import type { BankConnectionTexts } from "../wording.ts";

export const bankConnection: BankConnectionTexts = {
  "confirm.title": "Vill du dela ett konto med {partner}?",
  "confirm.text":
    "Du är på väg att ansluta ett bankkonto för en kund hos {partner}. Tjänsten hos {partner} får se kontots betalningar.",
  "confirm.customer": "Kunden: {customer}",
  "confirm.warning":
    "Fortsätt bara om du själv började med detta hos {partner}. Om någon har skickat sidan till dig, stäng den: den personen skulle få se dina betalningar.",
  "confirm.submit": "Ja, jag började själv",
  "confirm.refuse": "Nej, anslut inget",
  "choose.for": "För en kund hos {partner}.",
  "choose.title": "Anslut din bank",
  "choose.text":
    "Välj den bank vars konton du vill ansluta. Du loggar in och godkänner hos banken själv; vi ser aldrig ditt lösenord.",
  "choose.submit": "Fortsätt till banken",
  "choose.none": "Ingen bank kan anslutas just nu.",
  "choose.search": "Sök efter din bank",
  "choose.searchSubmit": "Sök",
  "choose.all": "Visa alla banker",
  "choose.notFound": "Ingen bank har de orden i sitt namn. Prova färre eller andra ord.",
  "choose.noCountry": "Övriga",
  "choose.legend": "Bank",
  abort: "Avbryt",
  "end.SUCCESS.title": "Din bank är ansluten",
  "end.SUCCESS.text": "Dina betalningar hämtas. Du kan stänga det här fönstret.",
  "end.ABORTED.title": "Inget anslöts",
  "end.ABORTED.text": "Du avbröt under vägen. Du kan stänga det här fönstret.",
  "end.UNKNOWN.title": "Det gick inte",
  "end.UNKNOWN.text": "Banken kunde inte anslutas. Försök igen senare. Du kan stänga det här fönstret.",
  "elsewhere.title": "Gå tillbaka till din första webbläsare",
  "elsewhere.text":
    "Banken ansluts i en annan webbläsare eller app, och inget har gjorts här. Gå tillbaka dit och fortsätt. Har du ingen annan sida öppen, tillåt kakor för den här, eller börja om i appen eller på sidan som du kom från.",
  "gone.title": "Sidan gäller inte längre",
  "gone.text": "Gå tillbaka till din banks app eller sida och börja om.",
  "sandbox.title": "Sandbox Bank",
  "sandbox.note": "En bank att prova med. Här finns ingens riktiga pengar.",
  "sandbox.person": "Vem är du?",
  "sandbox.signIn": "Logga in",
  "sandbox.accounts": "Vilka konton vill du dela?",
  "sandbox.purpose":
    "Namn, saldon och betalningar för de valda kontona delas till {date}. Du kan avsluta det när som helst.",
  "sandbox.approve": "Godkänn och gå tillbaka",
  "sandbox.refuse": "Avvisa",
  "sandbox.fail": "Låt banken misslyckas",
  "sandbox.noAccount": "Välj minst ett konto.",
};
