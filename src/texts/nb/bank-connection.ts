/** The pages of connecting a bank, and the sandbox bank's, in Norwegian (bokmål). Names in braces are filled in. */
import type { BankConnectionTexts } from "../wording.ts";

export const bankConnection: BankConnectionTexts = {
  "confirm.title": "Vil du dele en konto med {partner}?",
  "confirm.text":
    "Du er i ferd med å koble til en bankkonto for en kunde hos {partner}. Tjenesten til {partner} får se betalingene på den.",
  "confirm.customer": "Kunden: {customer}",
  "confirm.warning":
    "Fortsett bare hvis du selv begynte på dette hos {partner}. Hvis noen har sendt deg siden, lukk den: den personen ville fått se betalingene dine.",
  "confirm.submit": "Ja, jeg begynte selv",
  "confirm.refuse": "Nei, ikke koble til noe",
  "choose.for": "For en kunde hos {partner}.",
  "choose.title": "Koble til banken din",
  "choose.text":
    "Velg banken med kontoene du vil koble til. Du logger inn og samtykker hos banken selv; vi ser aldri passordet ditt.",
  "choose.submit": "Fortsett til banken",
  "choose.none": "Ingen bank kan kobles til akkurat nå.",
  "choose.search": "Søk etter banken din",
  "choose.searchSubmit": "Søk",
  "choose.all": "Vis alle banker",
  "choose.notFound": "Ingen bank har disse ordene i navnet. Prøv færre eller andre ord.",
  "choose.noCountry": "Andre",
  "choose.legend": "Bank",
  abort: "Avbryt",
  "end.SUCCESS.title": "Banken din er koblet til",
  "end.SUCCESS.text": "Betalingene dine hentes. Du kan lukke dette vinduet.",
  "end.ABORTED.title": "Ingenting ble koblet til",
  "end.ABORTED.text": "Du stoppet underveis. Du kan lukke dette vinduet.",
  "end.UNKNOWN.title": "Det gikk ikke",
  "end.UNKNOWN.text": "Banken kunne ikke kobles til. Prøv igjen senere. Du kan lukke dette vinduet.",
  "elsewhere.title": "Gå tilbake til den første nettleseren",
  "elsewhere.text":
    "Banken kobles til i en annen nettleser eller app, og ingenting er gjort her. Gå tilbake dit og fortsett. Har du ingen annen side åpen, tillat informasjonskapsler for denne, eller begynn på nytt i appen eller på siden du kom fra.",
  "gone.title": "Siden er ikke lenger gyldig",
  "gone.text": "Gå tilbake til bankens app eller side og begynn på nytt.",
  "sandbox.title": "Sandbox Bank",
  "sandbox.note": "En bank å prøve med. Her er ingens virkelige penger.",
  "sandbox.person": "Hvem er du?",
  "sandbox.signIn": "Logg inn",
  "sandbox.accounts": "Hvilke kontoer vil du dele?",
  "sandbox.purpose":
    "Navn, saldoer og betalinger på de valgte kontoene deles til {date}. Du kan når som helst avslutte det.",
  "sandbox.approve": "Samtykk og gå tilbake",
  "sandbox.refuse": "Avslå",
  "sandbox.fail": "La banken feile",
  "sandbox.noAccount": "Velg minst én konto.",
};
