import { words } from "./words.ts";

export const womensNames = words(`
  Abigail Adriana Aisha Alejandra Alexis Alice Alyssa Amanda Amber Amy Ana Andrea Angela Anna Ashley Audrey Barbara Bella
  Beth Bianca Brenda Brianna Brooke Camila Carla Carmen Caroline Cassandra Catherine Chelsea Chloe Christina Claire Crystal
  Cynthia Daniela Deborah Denise Diana Donna Elena Elizabeth Emily Emma Erica Erin Evelyn Faith Gabriela Grace Hannah
  Heather Holly Imani Isabel Jacqueline Jasmine Jenna Jennifer Jessica Joanna Jordan Julia Karen Kate Kayla Keisha Kelly
  Kim Kira Laura Lauren Leah Leslie Lily Linda Lisa Lucia Madison Maria Maya Megan Melissa Mia Michelle Monica Nadia Naomi
  Natalie Nicole Nina Olivia Paige Patricia Paula Priya Rachel Rebecca Renee Rosa Ruth Samantha Sandra Sara Selena Shannon
  Sierra Sofia Stephanie Susan Tamara Tanya Tara Teresa Tiffany Valerie Vanessa Veronica Victoria Wendy Yolanda Zoe`);

export const mensNames = words(`
  Aaron Adam Adrian Alan Albert Alex Andre Andrew Angel Anthony Antonio Austin Benjamin Blake Brandon Brian Bruce Caleb
  Cameron Carlos Chad Charles Chris Christian Cody Connor Craig Curtis Damian Daniel Darius Darren David Derek Devin Diego
  Dominic Donald Douglas Dustin Dylan Eddie Edgar Eduardo Edward Eli Emilio Eric Ethan Evan Felix Francisco Frank Gabriel
  Gary George Grant Greg Hector Henry Hugo Ian Isaac Ivan Jack Jacob Jamal James Jared Jason Javier Jeff Jeremy Jesse Joel
  John Jonathan Jorge Jose Joseph Joshua Juan Julian Justin Keith Ken Kevin Kyle Lamar Larry Leo Liam Logan Louis Lucas
  Luis Malik Manuel Marco Marcus Mario Mark Martin Mateo Matthew Max Michael Miguel Nathan Nicholas Noah Omar Oscar Owen
  Patrick Paul Peter Philip Rafael Raj Raymond Ricardo Richard Robert Rodney Roger Ryan Samuel Scott Sean Sergio Shane
  Simon Stephen Steve Terrence Thomas Timothy Todd Travis Trevor Tyler Victor Vincent Walter Wesley William Xavier Zachary`);

export const lastNames = words(`
  Adams Aguilar Alexander Allen Alvarez Anderson Arnold Bailey Baker Banks Barnes Bell Bennett Black Boyd Bradley Brooks
  Brown Bryant Burke Burns Butler Campbell Carlson Carpenter Carroll Carter Castillo Chang Chavez Chen Clark Coleman
  Collins Contreras Cook Cooper Cox Crawford Cruz Cunningham Daniels Davis Delgado Diaz Dixon Dominguez Douglas Duncan Dunn
  Edwards Elliott Ellis Espinoza Evans Ferguson Fernandez Fields Fisher Fleming Flores Ford Foster Fox Freeman Fuller Garcia
  Gardner Gibson Gomez Gonzalez Gordon Graham Grant Gray Green Griffin Guerrero Gutierrez Hall Hamilton Hansen Harper Harris
  Harrison Hart Hawkins Hayes Henderson Hernandez Herrera Hicks Hill Hoffman Holmes Howard Hughes Hunt Hunter Jackson Jacobs
  Jenkins Jensen Jimenez Johnson Jones Jordan Kelley Kelly Kennedy Khan Kim King Knight Larson Lawson Le Lee Lewis Li Lin
  Long Lopez Lucas Lynch Maldonado Marshall Martin Martinez Mason Matthews McCoy McDonald Medina Mendoza Meyer Miller Mills
  Mitchell Montgomery Moore Morales Moreno Morgan Morris Munoz Murphy Murray Myers Nelson Newman Nguyen Nichols Olson
  Ortega Ortiz Owens Palmer Park Parker Patel Patterson Payne Perez Perkins Perry Peters Peterson Pham Phillips Pierce
  Porter Powell Price Ramirez Ramos Reed Reyes Reynolds Rice Richards Rivera Roberts Robinson Rodriguez Rogers Romero Rose
  Ross Ruiz Russell Ryan Salazar Sanchez Sanders Sandoval Santos Schmidt Schneider Scott Shah Shaw Silva Simmons Simpson
  Singh Smith Snyder Soto Spencer Stephens Stewart Stone Sullivan Taylor Thomas Thompson Torres Tran Tucker Turner Vargas
  Vasquez Vega Wagner Walker Wallace Wang Ward Warren Washington Watson Weaver Webb Weber Welch Wells West Wheeler White
  Williams Willis Wilson Wong Wood Woods Wright Wu Yang Young Zhang Zimmerman`);

const streetNames = words(`
  Alder Ash Aspen Beech Birch Broadway Cedar Cherry Chestnut Church Clay College Cottonwood Court Cypress Depot Division
  Elm Fir Forest Franklin Garfield Grant Grove Hawthorne Hickory High Hill Jackson Jefferson Juniper Lake Laurel Liberty
  Lincoln Locust Madison Magnolia Main Maple Market Meadow Mill Monroe Mountain Myrtle Oak Orchard Park Pearl Pine Pleasant
  Poplar Prospect Railroad Ridge River School Second Spring Spruce Summit Sunset Sycamore Third Union Valley Vine Walnut
  Washington Water Willow Winter`);

const streetKinds = words("St St St Ave Ave Ave Rd Dr Ln Blvd Ct Way Pl");

export const streets = { names: streetNames, kinds: streetKinds };
