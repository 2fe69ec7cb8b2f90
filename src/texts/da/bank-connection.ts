/** The pages of connecting a bank, and the sandbox bank's, in Danish. Names in braces are filled in. */
import type { BankConnectionTexts } from "../wording.ts";

export const bankConnection: BankConnectionTexts = {
  "confirm.title": "Vil du dele en konto med {partner}?",
  "confirm.text":
    "Du er ved at forbinde en bankkonto for en kunde hos {partner}. Tjenesten hos {partner} får dens betalinger at se.",
  "confirm.customer": "Kunden: {customer}",
  "confirm.warning":
    "Fortsæt kun, hvis du selv begyndte på dette hos {partner}. Hvis nogen har sendt dig siden, så luk den: den person ville få dine betalinger at se.",
  "confirm.submit": "Ja, jeg begyndte selv",
  "confirm.refuse": "Nej, forbind intet",
  "choose.for": "For en kunde hos {partner}.",
  "choose.title": "Forbind din bank",
  "choose.text":
    "Vælg den bank, hvis konti du vil forbinde. Du logger ind og giver dit samtykke hos banken selv; vi ser aldrig din adgangskode.",
  "choose.submit": "Fortsæt til banken",
  "choose.none": "Lige nu kan ingen bank forbindes.",
  "choose.search": "Søg efter din bank",
  "choose.searchSubmit": "Søg",
  "choose.all": "Vis alle banker",
  "choose.notFound": "Ingen bank har de ord i sit navn. Prøv færre eller andre ord.",
  "choose.noCountry": "Andre",
  "choose.legend": "Bank",
  abort: "Annullér",
  "end.SUCCESS.title": "Din bank er forbundet",
  "end.SUCCESS.text": "Dine betalinger bliver hentet. Du kan lukke dette vindue.",
  "end.ABORTED.title": "Intet blev forbundet",
  "end.ABORTED.text": "Du stoppede undervejs. Du kan lukke dette vindue.",
  "end.UNKNOWN.title": "Det lykkedes ikke",
  "end.UNKNOWN.text": "Banken kunne ikke forbindes. Prøv igen senere. Du kan lukke dette vindue.",
  "elsewhere.title": "Gå tilbage til din første browser",
  "elsewhere.text":
    "Banken er ved at blive forbundet i en anden browser eller app, og her er intet sket. Gå tilbage dertil, og fortsæt. Har du ingen anden side åben, så tillad cookies for denne, eller begynd igen i den app eller på den side, du kom fra.",
  "gone.title": "Siden gælder ikke længere",
  "gone.text": "Gå tilbage til din banks app eller side, og begynd igen.",
  "sandbox.title": "Sandbox Bank",
  "sandbox.note": "En bank at prøve med. Her er ingens rigtige penge.",
  "sandbox.person": "Hvem er du?",
  "sandbox.signIn": "Log ind",
  "sandbox.accounts": "Hvilke konti vil du dele?",
  "sandbox.purpose":
    "Navne, saldi og betalinger på de valgte konti deles indtil {date}. Du kan til enhver tid stoppe det.",
  "sandbox.approve": "Giv samtykke og gå tilbage",
  "sandbox.refuse": "Afvis",
  "sandbox.fail": "Lad banken fejle",
  "sandbox.noAccount": "Vælg mindst én konto.",
};
